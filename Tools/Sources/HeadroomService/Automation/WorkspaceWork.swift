//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomConfiguration
public import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// The work on a real workspace, on threads of its own.
public struct WorkspaceWork: PolicyWork {
    private let workspace: Workspace
    private let configured: [VolumeConfiguration]
    /// What plans are made from; nil: a scan for each.
    private let inventories: VolumeInventories?
    private let watches: VolumeWatches

    /// - Parameters:
    ///   - workspace: opened for writing, with the areas of the configuration.
    ///   - configured: how single volumes are watched, and that they are, though no area may lie on them: what
    ///     modules hold, say.
    ///   - inventories: what plans are made from; nil: a scan for each.
    ///   - watches: what is known of the volumes' levels from before.
    public init(
        _ workspace: Workspace, volumes configured: [VolumeConfiguration] = [],
        inventories: VolumeInventories? = nil,
        watches: VolumeWatches = VolumeWatches()
    ) {
        self.workspace = workspace
        self.configured = configured
        self.inventories = inventories
        self.watches = watches
    }

    public func volumes() async -> [WatchedVolume] {
        let workspace = workspace
        let (configured, inventories) = (configured, inventories)
        return await BlockingThread.run(lowersPriority: true) {
            workspace.ledger.refresh()
            var found: [(volume: Volume, place: FilePath)] = []
            let scope = workspace.scope()
            // An area may come; a volume that is configured and absent is none of those around it.
            let places =
                scope.roots.map { (path: $0.path, mayCome: true) }
                + configured.map { (path: $0.path, mayCome: false) }
            for (path, mayCome) in places {
                // One that does not answer is looked for again later.
                guard let volume = try? Volume.containing(path), !volume.isPseudo,
                    !found.contains(where: { $0.volume.mountPoint == volume.mountPoint })
                else { continue }
                let isThere = ConfigurationFile.exists(path)
                guard isThere || mayCome else { continue }
                found.append((volume, isThere ? path : volume.mountPoint))
            }
            inventories?.review(scope, on: found.map(\.volume))
            return Self.fileSystems(found) { configured.entry(of: $0) }
        }
    }

    /// Each file system once, however many of its mounts areas are reached by: what is done for it is done for
    /// the areas of all of them. Its name is the mount point that has settings of its own, else the shortest.
    package static func fileSystems(
        _ found: [(volume: Volume, place: FilePath)],
        configured: (Volume) -> VolumeConfiguration?
    ) -> [WatchedVolume] {
        var devices: [UInt64] = []
        for (volume, _) in found where !devices.contains(volume.device) {
            devices.append(volume.device)
        }
        return devices.compactMap { device -> WatchedVolume? in
            let mounts = found.filter { $0.volume.device == device }
            let shortest = mounts.min {
                $0.volume.mountPoint.namesVolume(before: $1.volume.mountPoint)
            }
            guard let shortest else { return nil }
            let own = configured(shortest.volume)
            let (volume, place) =
                mounts.first { $0.volume.mountPoint == own?.path } ?? shortest
            return WatchedVolume(
                mountPoint: volume.mountPoint, place: place, type: volume.type,
                // mutation: r23f-1
                device: volume.device, settings: own?.settings ?? .standard)
        }
    }

    public func mounts() async -> Int {
        await BlockingThread.run(lowersPriority: true) {
            // A table that cannot be read says nothing new.
            guard let table = try? MountTable.current() else { return 0 }
            var hasher = Hasher()
            for mount in table.mounts {
                hasher.combine(mount.point)
                hasher.combine(mount.device)
                hasher.combine(mount.isReadOnly)
            }
            return hasher.finalize()
        }
    }

    public func isMounted(_ volume: WatchedVolume) async -> Bool {
        await BlockingThread.run(lowersPriority: false) {
            // The kernel gives the table in pieces: one that is read during an unmount may lack lines.
            for _ in 0..<3 {
                guard let table = try? MountTable.current() else { return true }
                guard let mount = table.mount(at: volume.mountPoint),
                    mount.point == volume.mountPoint,
                    volume.device == nil || mount.device == volume.device
                else { continue }
                return true
            }
            return false
        }
    }

    public func watch(
        _ volume: WatchedVolume, _ settings: PressureSettings
    ) -> any PressureSource {
        MonitoredVolume(
            mountPoint: volume.mountPoint, monitor: watches.monitor(of: volume, settings))
    }

    public func ageRulesHold() async -> Bool {
        let workspace = workspace
        return await BlockingThread.run(lowersPriority: false) { workspace.ageRulesHold() }
    }

    public func agePause() async -> String? {
        let workspace = workspace
        return await BlockingThread.run(lowersPriority: false) { workspace.pauseOfAgeRules()?.text }
    }

    public func run(_ order: PolicyOrder) async -> [PolicyResult] {
        let workspace = workspace
        let source = inventories?.source(for: order.volume.mountPoint)
        return await withTaskCancellationHandler {
            await BlockingThread.run(lowersPriority: !order.step.purpose.isLevel) {
                workspace.ledger.refresh()
                let runner = PolicyRunner(
                    workspace, order.policy, place: order.volume.place,
                    device: order.volume.device, requester: order.requester,
                    withheld: order.withheld, source: source)
                if let propose = order.propose {
                    return runner.propose(order.step, trigger: order.trigger, to: propose)
                }
                return runner.run(
                    order.step, trigger: order.trigger, progress: order.progress)
            }
        } onCancel: {
            // It ends between two items, with its receipt.
            order.progress.cancel()
        }
    }

    private struct MonitoredVolume: PressureSource {
        let mountPoint: FilePath
        let monitor: PressureMonitor

        var pressure: VolumePressure? { monitor.volumes.first }

        func read() async { await monitor.read() }

        func expect(_ earliest: Duration?) { monitor.expect(earliest, of: mountPoint) }

        func changes() -> AsyncStream<PressureChange> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: PressureChange.self, bufferingPolicy: .bufferingNewest(16))
            let monitor = monitor
            // Cancelled when nobody listens any more.
            let task = Task {
                for await change in monitor { continuation.yield(change) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }
    }
}
