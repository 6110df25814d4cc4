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

@Suite struct HardLinkTests {
    @Test func aPairWhollyInThePlanFreesItsBytesOnce() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", size: 10_000, unusedFor: .days(9))
        fixture.link("b", to: "a")
        fixture.file("c", size: 10_000, unusedFor: .days(1))
        let plan = fixture.make().plan(.free(ByteCount(10_000)))
        #expect(plan.paths == ["a", "b"])
        #expect(plan.frees == ByteCount(10_000))
        #expect(plan.map(\.bytes.bytes).sorted() == [0, 10_000])
        #expect(fixture.make().plan(.free(ByteCount(10_001))).count == 3)
    }

    @Test(.tags(.r8c, .r45c)) func aLinkOutsideFreesNothing() {
        var fixture = Fixture(areas: [Fixture.area("in", .cache)])
        fixture.file("in/a", size: 10_000, unusedFor: .days(9))
        fixture.link("out/b", to: "in/a")
        fixture.file("in/c", size: 10_000)
        let inventory = fixture.make()
        let plan = inventory.plan(.free(ByteCount(10_000)))
        #expect(plan.paths == ["in/c"])
        #expect(plan.kept(.linkedElsewhere) == 1)
        #expect(inventory.plan(.inodes(1)).paths == ["in/c"])
        let all = inventory.plan(.all)
        #expect(all.paths == ["in/c"])
        #expect(all.kept(.linkedElsewhere) == 1)
        #expect(all.frees == ByteCount(10_000))
    }

    @Test(
        "Plans files that free nothing only when asked to", .tags(.r45c), arguments: [false, true])
    func includesUnprofitableFilesOnRequest(asked: Bool) {
        var fixture = Fixture(areas: [Fixture.area("in", .cache, retention: .days(5))])
        fixture.file("in/a", size: 10_000, unusedFor: .days(9))
        fixture.link("out/b", to: "in/a")
        fixture.file("in/c", size: 10_000, unusedFor: .days(9))
        let inventory = fixture.make()
        for target in [Target.all, .expired, .olderThan(.seconds(86_400), by: .used)] {
            var request = PlanRequest(targets: [target], now: Fixture.now, user: Fixture.user)
            request.includesUnprofitable = asked
            let plan = Planner.plan(inventory, request)
            #expect(Set(plan.itemPaths) == (asked ? ["in/a", "in/c"] : ["in/c"]), "\(target)")
            #expect(plan.kept(.linkedElsewhere) == (asked ? 0 : 1))
            #expect(plan.frees == ByteCount(10_000))
        }
    }

    @Test("Explains that deleting a file with a hard link elsewhere frees nothing", .tags(.r45c))
    func explainsUnprofitableFile() {
        var fixture = Fixture(areas: [Fixture.area("in", .cache)])
        fixture.file("in/a", size: 10_000)
        fixture.link("out/b", to: "in/a")
        var request = PlanRequest(targets: [.all], now: Fixture.now, user: Fixture.user)
        let inventory = fixture.make()
        let path = FilePath("\(Fixture.root)/in/a")
        let explanation = Explainer(inventory, request).explain(path) { _ in nil }
        guard case .never(let reason) = explanation.outlook else {
            Issue.record("\(explanation.outlook)")
            return
        }
        #expect(reason.code == .linkedElsewhere)
        request.includesUnprofitable = true
        let asked = Explainer(inventory, request).explain(path) { _ in nil }
        #expect(asked.outlook == .pressure(.warning))
    }

    @Test("Plans a file whose other hard link is in a directory that the plan deletes whole")
    func countsLinksInsideOfUnits() {
        var fixture = Fixture(areas: [
            Fixture.area("single", .cache), Fixture.area("units", .cache, unit: .entry),
        ])
        fixture.file("units/d/a", size: 10_000)
        fixture.link("single/b", to: "units/d/a")
        let plan = fixture.make().plan(.all)
        #expect(Set(plan.itemPaths) == ["units/d", "single/b"])
        #expect(plan.frees >= ByteCount(10_000))
    }

    /// What a person chose goes, also where it frees nothing: the plan says how many names that are. What is
    /// kept for its links says nothing of the choice.
    @Test func namesThatFreeNothingAreCountedInAChoice() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("in/a", size: 10_000)
        fixture.link("out/b", to: "in/a")
        fixture.file("in/c", size: 10_000)
        fixture.link("in/d", to: "in/c")
        fixture.file("other.db")
        fixture.file("other.db-wal") { $0.linkCount = 2 }
        let inventory = fixture.make()
        func plan(_ names: [String]) -> Plan {
            var request = PlanRequest(targets: [.all], now: Fixture.now, user: Fixture.user)
            request.selection = ItemSelection(
                Set(names.map { FilePath("\(Fixture.root)/\($0)") }))
            return Planner.plan(inventory, request)
        }
        let part = plan(["in"])
        #expect(Set(part.itemPaths) == ["in/a", "in/c", "in/d"])
        #expect(part.frees == ByteCount(10_000))
        #expect(part.namesLinkedOutside == 1)
        // Of a database that nobody has chosen.
        #expect(part.kept(.linkedElsewhere) == 2)
        #expect(plan(["in", "out"]).namesLinkedOutside == 0)
        #expect(plan(["in/c", "out"]).namesLinkedOutside == 2)
    }

    /// Of a file whose other link is not asked for, a count expects nothing.
    @Test func aGroupOfWhichALinkIsSparedFreesNothing() {
        for hidden in ["a", "b"] {
            var fixture = Fixture(areas: [Fixture.area("", .cache)])
            let names = ["a", "b"].map { $0 == hidden ? ".\($0)" : $0 }
            fixture.file(names[0], size: 10_000, unusedFor: .days(9))
            fixture.link(names[1], to: names[0])
            fixture.file("c", size: 10_000, unusedFor: .days(1))
            let inventory = fixture.make()
            func plan(_ target: Target) -> Plan {
                var request = PlanRequest(
                    targets: [target], now: Fixture.now, user: Fixture.user)
                request.sparing.hidden = true
                return Planner.plan(inventory, request)
            }
            let counted = plan(.free(ByteCount(10_000)))
            #expect(counted.itemPaths == ["c"])
            #expect(counted.reachesTarget)
            let all = plan(.all)
            #expect(all.itemPaths == ["c"])
            #expect(all.frees == ByteCount(10_000))
        }
    }

    /// It frees nothing, even if it has expired: the bytes have to come from other files.
    @Test(
        arguments: [
            [.expired, .free(ByteCount(10_000))], [.expired, .overLimit], [.expired, .inodes(1)],
            [.inodes(1)],
        ] as [[Target]])
    func whatIsLeftOfAGroupCountsForNothing(targets: [Target]) {
        // Either may be the one that stood for the bytes.
        for names in [[".a", "b"], ["b", ".a"]] {
            var fixture = Fixture(areas: [
                Fixture.area("", .cache, retention: .days(5), limit: 10_000)
            ])
            fixture.file(names[0], size: 10_000, unusedFor: .days(9))
            fixture.link(names[1], to: names[0])
            fixture.file("c", size: 10_000, unusedFor: .days(1))
            var request = PlanRequest(targets: targets, now: Fixture.now, user: Fixture.user)
            request.sparing.hidden = true
            let plan = Planner.plan(fixture.make(), request)
            #expect(plan.itemPaths == ["c"])
            #expect(plan.reachesTarget && plan.frees == ByteCount(10_000))
        }
    }

    @Test func aGroupGoesWithItsLaterClass() {
        var fixture = Fixture(areas: [
            Fixture.area("t", .temporary), Fixture.area("l", .lastResort),
            Fixture.area("c", .cache),
        ])
        fixture.file("t/a", size: 10_000)
        fixture.link("l/b", to: "t/a")
        fixture.file("c/c", size: 10_000)
        let inventory = fixture.make()
        #expect(inventory.plan(.all).itemPaths == ["c/c", "l/b", "t/a"])
        #expect(inventory.plan(.all, through: .cache).itemPaths == ["c/c"])
        #expect(inventory.plan(.free(ByteCount(1))).itemPaths == ["c/c"])
    }

    @Test func aRuleThatHoldsForOneLinkOnlyTakesNone() {
        var fixture = Fixture(areas: [
            Fixture.area("short", .cache, retention: .days(1)),
            Fixture.area("long", .cache, retention: .days(100)),
        ])
        fixture.file("short/a", unusedFor: .days(9))
        fixture.link("long/b", to: "short/a")
        fixture.file("short/c", unusedFor: .days(9))
        #expect(fixture.make().plan(.expired).itemPaths == ["short/c"])
    }

    @Test func shrinkingTakesTheLinksOfOtherAreasAlong() {
        var fixture = Fixture(areas: [
            Fixture.area("x", .cache, limit: 5_000), Fixture.area("y", .cache, limit: 5_000),
        ])
        fixture.file("x/a", size: 10_000)
        fixture.link("y/b", to: "x/a")
        fixture.file("y/c", size: 4_000)
        let plan = fixture.make().plan(.overLimit)
        #expect(Set(plan.itemPaths) == ["x/a", "y/b"])
        #expect(plan.reachesTarget)
    }

    @Test func linksSpreadOverUnitsFreeTheirBytesWithTheLast() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        fixture.file("u/a", size: 10_000)
        fixture.link("v/b", to: "u/a")
        fixture.link("single", to: "u/a")
        let inventory = fixture.make()
        let plan = inventory.plan(.all)
        #expect(plan.count == 3)
        #expect(plan.frees == ByteCount(10_000))
        #expect(inventory.plan(.free(ByteCount(10_000))).isEmpty)
    }

    @Test func linksWithinAUnitCountOnce() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        fixture.file("u/a", size: 10_000)
        fixture.link("u/b", to: "u/a")
        let plan = fixture.make().plan(.free(ByteCount(1)))
        #expect(plan.paths == ["u"])
        #expect(plan.frees == ByteCount(10_000))
    }

    @Test func aCountThatSaturatedIsNotTrusted() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a") { $0.linkCount = .max }
        #expect(fixture.make().plan(.free(ByteCount(1))).isEmpty)
    }

    @Test func inodesOfAGroupCountOnce() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", unusedFor: .days(9))
        fixture.link("b", to: "a")
        fixture.file("c")
        #expect(fixture.make().plan(.inodes(2)).paths == ["a", "b", "c"])
        #expect(fixture.make().plan(.inodes(1)).paths == ["a", "b"])
    }
}
