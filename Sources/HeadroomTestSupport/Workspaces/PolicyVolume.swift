//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// A tmpfs of 64 MiB with areas of all classes, and what a policy is asked with there.
///
/// Warning begins below 6.7 MB and ends at 13.4; critical below 3.4.
package struct PolicyVolume {
    package let image: MountedImage
    package let state: TemporaryDirectory
    package let workspace: Workspace

    package static let areas: [(name: String, purgeClass: PurgeClass)] = [
        ("temporary", .temporary), ("cache", .cache), ("lastResort", .lastResort),
        ("essential", .essential),
    ]

    package init(
        inodes: Int? = nil, change: (inout Area) -> Void = { _ in },
        clocks: (@Sendable () -> ClockSample)? = nil
    ) throws {
        image = try MountedImage.tmpfs(size: .mebibytes(64), inodes: inodes)
        state = try TemporaryDirectory(on: .disk)
        for (name, _) in Self.areas { try image.tree.directory(TreePath(name)) }
        let root = image.path
        let layout = Layout(
            kind: .custom, root: root,
            areas: Self.areas.map { name, purgeClass in
                var area = Area(
                    root: root.appending(name), purgeClass: purgeClass, origin: "test")
                change(&area)
                return area
            })
        workspace = Workspace(
            ledger: Ledger.open(directory: state.path.appending("ledger")) { .now() },
            layouts: [layout], interrupted: [], clock: { .now() }, sampleClocks: clocks)
    }

    /// Writes files of a size into an area, the first of them the oldest.
    package func fill(_ area: String, _ count: Int, of size: ByteCount) throws {
        for number in 0..<count {
            let path = TreePath(area) / TreePath("\(area)-\(number)")
            try image.tree.file(path, size: size)
            try image.tree.age(path, by: .seconds(3_600 * Int64(count - number)))
        }
    }

    package func count(_ area: String) throws -> Int {
        try image.tree.names(in: TreePath(area)).count
    }

    package var available: ByteCount {
        get throws {
            guard let available = try Volume.containing(image.path).available else {
                throw FixtureError("statvfs", on: image.path.string)
            }
            return available
        }
    }

    /// Fills the volume with what may never go, until so much is left.
    package func leave(_ bytes: ByteCount) throws {
        try image.tree.file(
            "essential/\(Int.random(in: 0...Int.max))" as TreePath, size: try available - bytes)
    }

    /// How things stand now, after as many readings as it takes to see it.
    package func situation(_ trigger: CleaningTrigger = .levelChange) throws -> PolicySituation {
        var gauge = PressureGauge()
        _ = gauge.take(PressureReading(time: .zero, of: try Volume.containing(image.path)))
        return PolicySituation(
            trigger: trigger,
            pressure: VolumePressure(mountPoint: image.path, gauge: gauge, lastRead: .now()))
    }

    package func runner(
        _ policy: Policy = Policy.eager, withheld: Set<FilePath> = [],
        source: (any PlanSource)? = nil
    ) -> PolicyRunner {
        PolicyRunner(
            workspace, policy, place: image.path, requester: "test", withheld: withheld,
            source: source)
    }

    /// Decides and carries out, as the daemon does.
    package func run(
        _ trigger: CleaningTrigger = .levelChange, _ policy: Policy = Policy.eager,
        progress: PurgeProgress = PurgeProgress()
    ) throws -> [PolicyResult] {
        let runner = runner(policy)
        let decision = policy.decide(try situation(trigger))
        return decision.steps.flatMap {
            runner.run($0, trigger: trigger, progress: progress)
        }
    }
}
#endif

extension Policy {
    /// The standard policy without idle times: the files of a test were just written.
    package static var eager: Policy {
        var policy = Policy()
        policy.minIdle = .none
        return policy
    }
}
