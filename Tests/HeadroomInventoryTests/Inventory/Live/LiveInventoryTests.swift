//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A live inventory equals a fresh scan after whatever happened.
@Suite(.serialized) struct LiveInventoryTests {
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case inotify, fanotify, losing, blind

        var testDescription: String { rawValue }

        var isPossible: Bool { self != .fanotify || Privilege.isRoot }

        func options() -> LiveOptions {
            var options = LiveOptions()
            options.mechanism = self == .fanotify ? .perFileSystem : .perDirectory
            switch self {
            case .inotify, .fanotify: break
            case .losing: options.makeWatch = { LosingWatch.make($0, refuses: false) }
            case .blind: options.makeWatch = { LosingWatch.make($0, refuses: true) }
            }
            return options
        }
    }

    @Test(.tags(.r14f), arguments: Way.allCases.filter(\.isPossible))
    func equalsAFreshScanAfterAnything(_ way: Way) throws {
        for base in [TemporaryDirectory.Base.memory, .disk] {
            // The short form is the same each time; what a seed finds is in the next test from then on.
            guard Privilege.isSoak else {
                try run(way, base, seed: 20_261_122, batches: 5)
                continue
            }
            for _ in 0..<40 {
                try run(way, base, seed: .random(in: 1...UInt64.max), batches: 60)
            }
        }
    }

    /// Seeds that have found something.
    @Test(
        arguments: [4_973_035_017_052_672_393, 1_943_814_155_274_331_301] as [UInt64],
        Way.allCases.filter(\.isPossible))
    func equalsAFreshScanAfterWhatOnceWentWrong(_ seed: UInt64, _ way: Way) throws {
        try run(way, .memory, seed: seed, batches: 8)
    }

    private func run(
        _ way: Way, _ base: TemporaryDirectory.Base, seed: UInt64, batches: Int
    ) throws {
        let directory = try TemporaryDirectory(on: base)
        let world = try LiveWorld(directory, way.options())
        defer { world.live.close() }
        var changes = RandomChanges(
            places: world.places, outside: world.outside, seed: seed, canMount: Privilege.canMount)
        defer { changes.finish() }
        var choices = SeededGenerator(seed: seed &+ 1)
        for batch in 0..<batches {
            changes.run(40)
            let difference = try world.difference(requests: batch + 1 == batches ? 12 : 3, &choices)
            #expect(
                difference.isEmpty,
                "seed \(seed), batch \(batch), \(way) on \(directory.path): \(difference)")
            guard difference.isEmpty else { return }
        }
        let statistics = world.live.statistics
        switch way {
        case .inotify, .fanotify:
            #expect(statistics.scans == 1, "seed \(seed): it was scanned anew")
            #expect(statistics.overflows == 0, "seed \(seed)")
        case .losing: #expect(statistics.overflows > 0, "seed \(seed)")
        case .blind: #expect(world.live.coverage.contains { $0.unwatchedDirectories > 0 })
        }
    }
}

/// A tree with areas of several kinds, and the live inventory of it.
struct LiveWorld {
    let places: [FilePath]
    let outside: FilePath
    let roots: [ScanRoot]
    let areas: [Area]
    let live: LiveInventory

    static let now = Timestamp(seconds: 2_000_000_000)

    init(_ directory: TemporaryDirectory, _ options: LiveOptions) throws {
        let tree = directory.tree
        for name in ["a/inner/unit", "a/plain", "b/trash", "outside/x"] {
            try tree.directory(TreePath(name))
        }
        for name in ["a/inner/unit/1", "a/inner/2", "a/plain/3", "b/4", "outside/5"] {
            try tree.file(TreePath(name), size: .kilobytes(3))
        }
        let path = directory.path
        let (a, b) = (path.appending("a"), path.appending("b"))
        places = [a, b, a.appending("inner")]
        outside = path.appending("outside")
        roots = [ScanRoot(path: a), ScanRoot(path: b, countsAccess: false)]
        var inner = Area(
            root: a.appending("inner"), purgeClass: .cache, unit: .entry,
            retention: .seconds(86_400), origin: "test")
        inner.importance = 20
        areas = [
            Area(
                root: a, purgeClass: .cache, retention: .seconds(365 * 86_400),
                limit: .kilobytes(200), origin: "test"),
            inner,
            Area(root: b, purgeClass: .temporary, order: .oldestCreated, origin: "test"),
            Area(root: b.appending("trash"), purgeClass: .lastResort, origin: "test"),
        ]
        live = try LiveInventory(roots: roots, areas: areas, options: options) {
            Self.scanOptions()
        }
    }

    static func scanOptions() -> ScanOptions {
        var options = ScanOptions(now: now)
        options.markSource = LedgerMarkSource(calls: NativeCalls.make(), recorded: [])
        return options
    }

    /// What a fresh scan, or a plan of one, says otherwise.
    func difference(
        requests: Int, _ generator: inout SeededGenerator
    ) throws -> [String] {
        let kept = try live.inventory()
        var options = Self.scanOptions()
        options.key = kept.key
        let fresh = try Scanner.scan(roots, areas: areas, options: options)
        let lines = Self.difference(kept.lines(), fresh.lines())
        if !lines.isEmpty { return lines }
        for request in Self.requests.shuffled(using: &generator).prefix(requests) {
            let (ours, theirs) = (try live.plan(request), Planner.plan(fresh, request))
            let lines = Self.difference(Self.lines(ours), Self.lines(theirs))
            if !lines.isEmpty { return ["\(request.targets)"] + lines }
        }
        return []
    }

    private static let requests: [PlanRequest] = {
        var requests: [PlanRequest] = []
        for targets in [
            [.free(.kilobytes(40))], [.free(.megabytes(1))], [.all], [.expired], [.overLimit],
            [.olderThan(.seconds(86_400 * 9000), by: .used)], [.inodes(25)],
            [.expired, .free(.kilobytes(100))], [.overLimit, .inodes(5)],
        ] as [[Target]] {
            for through in [PurgeableClass.temporary, .cache, .lastResort] {
                requests.append(PlanRequest(targets: targets, through: through, now: now))
            }
        }
        var spared = requests[1]
        spared.sparesLiveCaches = true
        requests.append(spared)
        return requests
    }()

    private static func lines(_ plan: Plan) -> [String] {
        [
            "frees \(plan.frees) missing \(plan.missing) \(plan.missingInodes) "
                + "\(plan.reachesTarget)",
            "kept "
                + plan.kept.byReason.map { "\($0.key): \($0.value)" }.sorted()
                .joined(separator: ", "),
            "over \(plan.overLimit.map { "\($0.area.root) \($0.excess)" })",
        ]
            + plan.enumerated().map { index, entry in
                "\(index) \(entry.path.string) \(entry.purgeClass) \(entry.unit) "
                    + "\(entry.bytes) \(entry.lastUse) \(entry.reason.code) \(entry.reason.text) "
                    + "\(entry.sidecars.map(\.text))"
            }
    }

    private static func difference(_ ours: [String], _ theirs: [String]) -> [String] {
        if ours == theirs { return [] }
        let (left, right) = (Set(ours), Set(theirs))
        return left.subtracting(right).sorted().prefix(6).map { "live  \($0)" }
            + right.subtracting(left).sorted().prefix(6).map { "fresh \($0)" }
            + (left == right ? ["the order"] : [])
    }
}
#endif
