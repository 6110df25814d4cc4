//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("Units and idle times in plans")
struct UnitLayoutTests {
    private func plan(
        _ tree: InMemoryTree, _ target: Target = .all, minIdle: MinIdle = .none,
        kept: KeptPaths = .none, change: (inout PlanRequest) -> Void = { _ in }
    ) -> Plan {
        var request = PlanRequest(
            targets: [target], now: InMemoryTree.now, user: InMemoryTree.user)
        request.minIdle = minIdle
        request.kept = kept
        change(&request)
        return Planner.plan(tree.make(), request)
    }

    private func paths(_ plan: Plan) -> [String] {
        plan.map { String($0.path.string.dropFirst(InMemoryTree.root.count + 1)) }.sorted()
    }

    @Test("Purges an unknown child of a cache directory as one unit", .tags(.r44a))
    func unknownChildIsUnit() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("c", .cache, unit: .directory)])
        tree.file("c/app/deep/er/file")
        tree.file("c/app/file")
        tree.file("c/loose")
        let plan = plan(tree)
        #expect(paths(plan) == ["c/app", "c/loose"])
        #expect(plan.first { $0.path.lastComponent == "app" }?.unit == .directory)
    }

    @Test("Takes the last use of a unit from its newest member", .tags(.r44a))
    func newestMemberCounts() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("c", .cache, unit: .directory)])
        tree.file("c/old/one", unusedFor: .seconds(86_400 * 30))
        tree.file("c/mixed/one", unusedFor: .seconds(86_400 * 90))
        tree.file("c/mixed/two", unusedFor: .seconds(86_400))
        for path in ["c/old", "c/mixed"] { tree.directory(path) { $0.modified = 1 } }
        #expect(
            paths(plan(tree, .olderThan(.seconds(86_400 * 10), by: .used))) == ["c/old"])
    }

    @Test("Splits a directory that contains a purgeable area of its own, and no further")
    func splitsAroundInnerArea() {
        var tree = InMemoryTree(areas: [
            InMemoryTree.area("c", .cache, unit: .directory),
            InMemoryTree.area("c/vendor/app/thumbnails", .cache),
        ])
        tree.file("c/vendor/app/thumbnails/1")
        tree.file("c/vendor/app/pages/1")
        tree.file("c/vendor/app/index")
        tree.file("c/vendor/other/1")
        #expect(
            paths(plan(tree)) == [
                "c/vendor/app/index", "c/vendor/app/pages", "c/vendor/app/thumbnails/1",
                "c/vendor/other",
            ])
    }

    @Test("Keeps an unknown directory whole if it contains something essential", .tags(.r44a))
    func essentialAreaBlocksUnit() {
        var tree = InMemoryTree(areas: [
            InMemoryTree.area("c", .cache, unit: .directory),
            InMemoryTree.area("c/app/history", .essential),
        ])
        tree.file("c/app/history/work")
        tree.file("c/app/objects/1")
        tree.file("c/app/index")
        tree.file("c/other/1")
        let plan = plan(tree)
        #expect(paths(plan) == ["c/other"])
        #expect(plan.obstacles.map(\.reason.code) == [.essential])
    }

    @Test("Leaves an empty directory to the age rules", .tags(.r43a))
    func emptyDirectoryIsNoUnit() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("t", .temporary, unit: .directory)])
        tree.directory("t/job") { $0.modified = UInt32(InMemoryTree.now.seconds) - 7_200 }
        tree.directory("t/new") { $0.modified = UInt32(InMemoryTree.now.seconds) - 60 }
        #expect(paths(plan(tree, .free(ByteCount(1)))) == [])
        #expect(paths(plan(tree, minIdle: .standard)) == ["t/job"])
    }

    @Test(
        "Keeps what was used within the idle time of its class", .tags(.r43a),
        arguments: [
            (PurgeClass.temporary, 3_599, false), (.temporary, 3_601, true), (.cache, 599, false),
            (.cache, 601, true),
        ])
    func minIdleByClass(purgeClass: PurgeClass, seconds: Int, isPlanned: Bool) {
        for unit in [PurgeUnit.file, .entry, .directory] {
            var tree = InMemoryTree(areas: [InMemoryTree.area("a", purgeClass, unit: unit)])
            tree.directory("a/unit") { $0.modified = 1 }
            tree.file("a/unit/file", unusedFor: .seconds(seconds))
            let plan = plan(tree, minIdle: .standard) { $0.targets = [.all] }
            #expect(plan.contains { $0.unit != .emptyDirectory } == isPlanned, "\(unit)")
            if !isPlanned {
                #expect(plan.kept.byReason[.recentlyUsed]?.count == 1)
                let reason = plan.obstacles.first?.reason
                #expect(reason?.code == .recentlyUsed)
                #expect(reason?.text.hasPrefix("used ") == true)
            }
        }
    }

    @Test("Measures idle times by the clock as it would stand without its jump", .tags(.r43g))
    func idleTimesSurviveClockJump() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("c", .cache)])
        tree.file("c/fresh", unusedFor: .seconds(86_400 * 30 + 60))
        tree.file("c/old", unusedFor: .seconds(86_400 * 60))
        let plan = plan(tree, minIdle: .standard) {
            $0.idleNow = InMemoryTree.now.advanced(by: .seconds(-86_400 * 30))
        }
        #expect(paths(plan) == ["c/old"])
    }

    @Test("Keeps the unit that a used path lies in, and nothing beside it")
    func keptPathKeepsItsUnit() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("t", .temporary, unit: .directory)])
        tree.file("t/app/lib/late")
        tree.file("t/app/start")
        tree.file("t/other/file")
        let used = Reason(.process, "used by perl (812): named on its command line")
        let plan = plan(
            tree,
            kept: KeptPaths(entries: [.init(path: "/r/t/app/start", reason: used, extent: .unit)]))
        #expect(paths(plan) == ["t/other"])
        #expect(plan.obstacles.map(\.reason) == [used])
        // A path above units keeps nothing.
        let above = KeptPaths(entries: [.init(path: "/r/t", reason: used, extent: .unit)])
        #expect(paths(self.plan(tree, kept: above)) == ["t/app", "t/other"])
    }

    @Test(
        "Keeps all units of a used directory that an inner area divides, and no inner area",
        .tags(.r43d))
    func keptPathKeepsDividedDirectory() {
        var tree = InMemoryTree(areas: [
            InMemoryTree.area("c", .cache, unit: .directory),
            InMemoryTree.area("c/gem/cache", .cache),
        ])
        for file in ["c/gem/bin/bundle", "c/gem/gems/a/lib/a", "c/gem/cache/a.gem", "c/other/x"] {
            tree.file(file)
        }
        let used = Reason(.process, "used by bash (812): GEM_HOME names it")
        let kept = KeptPaths(entries: [.init(path: "/r/c/gem", reason: used, extent: .unit)])
        #expect(paths(plan(tree, kept: kept)) == ["c/gem/cache/a.gem", "c/other"])
        #expect(plan(tree, kept: kept).obstacles.map(\.reason) == [used])
    }

    @Test("Keeps a tree in an area whose files are purged one by one")
    func keptTree() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("c", .cache)])
        tree.file("c/mounted/deep/file")
        tree.file("c/beside")
        let reason = Reason(.mountSource, "mounted in another namespace")
        let kept = KeptPaths(entries: [.init(path: "/r/c/mounted", reason: reason, extent: .tree)])
        #expect(paths(plan(tree, kept: kept)) == ["c/beside"])
    }

    @Test("Explains why a unit is kept for now")
    func explains() {
        var tree = InMemoryTree(areas: [InMemoryTree.area("c", .cache, unit: .directory)])
        tree.directory("c/app") { $0.modified = 1 }
        tree.file("c/app/file", unusedFor: .seconds(40))
        var request = PlanRequest(
            targets: [.all], now: InMemoryTree.now, user: InMemoryTree.user)
        request.minIdle = .standard
        let explanation = Explainer(tree.make(), request).explain("/r/c/app/file")
        guard case .notNow(let reason) = explanation.outlook else {
            Issue.record("unexpected outlook \(explanation.outlook)")
            return
        }
        #expect(reason.code == .recentlyUsed)
        #expect(reason.text == "used 40 s ago; purged after 10 min without use")
    }
}
