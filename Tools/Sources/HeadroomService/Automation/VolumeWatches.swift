//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import Synchronization
import SystemPackage

/// The volumes that the service watches, kept while it runs: a level, and how long it has been better, are
/// not forgotten when another configuration is read.
public final class VolumeWatches: Sendable {
    private struct Key: Hashable {
        var mountPoint: FilePath
        /// What is mounted there later is another.
        var device: UInt64?
        var place: PressureMonitor.Place
    }

    private let monitors = Mutex<[Key: PressureMonitor]>([:])

    public init() {}

    /// The monitor of a volume with these settings: with others, its levels are others.
    func monitor(of volume: WatchedVolume, _ settings: PressureSettings) -> PressureMonitor {
        let place = PressureMonitor.Place(volume.place, settings: settings)
        return monitors.withLock { monitors in
            let key = Key(
                mountPoint: volume.mountPoint, device: volume.device, place: place)
            if let known = monitors[key] { return known }
            // Of a volume there is one; what was watched with other settings is not any more.
            monitors = monitors.filter { $0.key.mountPoint != volume.mountPoint }
            let monitor = PressureMonitor(of: [place])
            monitors[key] = monitor
            return monitor
        }
    }
}
