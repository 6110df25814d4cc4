//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage

/// Volumes whose figures are what a test says, each counting how often it was asked.
final class ScriptedVolumes: VolumePolling {
    struct Script {
        var device: UInt64
        var available: Int64
        var isHanging = false
        var isReadOnly = false
        var looks = 0
        var polls = 0
    }

    private let clock: ManualClock
    private let scripts: Mutex<[FilePath: Script]>

    init(_ volumes: [FilePath: Script], clock: ManualClock) {
        scripts = Mutex(volumes)
        self.clock = clock
    }

    func change(_ place: FilePath, _ body: (inout Script) -> Void) {
        scripts.withLock { scripts in
            if var script = scripts[place] {
                body(&script)
                scripts[place] = script
            }
        }
    }

    func script(_ place: FilePath) -> Script? { scripts.withLock { $0[place] } }

    func look(at place: FilePath, timeLimit: Duration) async throws(Errno) -> PolledVolume {
        change(place) { $0.looks += 1 }
        let script = try await answer(place, timeLimit)
        return PolledVolume(
            volume: volume(place, script), target: place, identifier: script.device)
    }

    func poll(_ polled: PolledVolume, timeLimit: Duration) async throws(Errno) -> Volume {
        change(polled.target) { $0.polls += 1 }
        let script = try await answer(polled.target, timeLimit)
        guard script.device == polled.identifier else { throw .staleNFSFileHandle }
        return volume(polled.target, script)
    }

    private func answer(_ place: FilePath, _ limit: Duration) async throws(Errno) -> Script {
        guard let script = script(place) else { throw .noSuchFileOrDirectory }
        guard script.isHanging else { return script }
        try? await clock.sleep(for: limit)
        throw .timedOut
    }

    private func volume(_ place: FilePath, _ script: Script) -> Volume {
        var volume = Volume(
            mount: Mount(
                id: script.device, device: script.device, root: "/", point: place, type: "ext4",
                source: "/dev/\(script.device)", isReadOnly: script.isReadOnly, isNoatime: false))
        volume.figures = VolumeFigures(
            fileSystemID: script.device, total: ByteCount(1000), free: ByteCount(1000),
            available: ByteCount(script.available), inodes: nil, availableInodes: nil,
            isReadOnly: script.isReadOnly)
        return volume
    }
}
