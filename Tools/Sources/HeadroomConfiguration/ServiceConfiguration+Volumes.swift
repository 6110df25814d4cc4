//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
package import SystemPackage

extension ServiceConfiguration {
    /// How the pressure of a volume is watched: what is configured for it, else the standard. Reads the mount
    /// table.
    public func settings(of volume: Volume) -> PressureSettings {
        // mutation: r39b-2
        volumes.entry(of: volume)?.settings ?? .standard
    }
}

extension [VolumeConfiguration] {
    /// What is configured for a volume: for where it is mounted, the shortest path of several; else for the
    /// first path that exists and lies on it. Reads the mount table.
    ///
    /// The same by whichever of its mounts the volume is reached. What is configured for a volume that is absent
    /// rests.
    public func entry(of volume: Volume) -> VolumeConfiguration? {
        guard !isEmpty else { return nil }
        return entry(of: volume, in: try? MountTable.current()) { ConfigurationFile.exists($0) }
    }

    package func entry(
        of volume: Volume, in mounts: MountTable?, exists: (FilePath) -> Bool
    ) -> VolumeConfiguration? {
        let exact = first { $0.path == volume.mountPoint }
        guard let mounts else { return exact }
        let onIt = filter { mounts.mount(at: $0.path)?.device == volume.device }
        let mounted = onIt.filter { mounts.mount(at: $0.path)?.point == $0.path }
        if let named = mounted.min(by: { $0.path.namesVolume(before: $1.path) }) { return named }
        // While nothing is mounted at a path, it lies on a volume that nobody meant.
        return exact ?? onIt.first { exists($0.path) }
    }
}

extension FilePath {
    /// Whether a volume that is mounted here and there is named by this place: by the shorter one.
    package func namesVolume(before other: FilePath) -> Bool {
        let (depth, otherDepth) = (components.count, other.components.count)
        return depth == otherDepth ? string < other.string : depth < otherDepth
    }
}
