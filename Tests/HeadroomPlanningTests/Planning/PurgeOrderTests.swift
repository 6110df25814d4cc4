//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Testing

@Suite struct PurgeOrderTests {
    @Test(.tags(.s1a)) func classComesFirst() {
        var fixture = Fixture(areas: [
            Fixture.area("l", .lastResort), Fixture.area("c", .cache),
            Fixture.area("t", .temporary),
            Fixture.area("e", .essential),
        ])
        fixture.file("l/a", unusedFor: .days(900))
        fixture.file("c/a", unusedFor: .days(300))
        fixture.file("t/a", unusedFor: .days(1))
        fixture.file("e/a", unusedFor: .days(2000))
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["t/a", "c/a", "l/a"])
        #expect(plan.kept(.essential) == 1)
    }

    @Test(.tags(.r15a)) func expiredThenOverLimitThenImportanceThenUseThenSize() {
        var fixture = Fixture(areas: [
            Fixture.area("expired", .cache, retention: .days(30), importance: 100),
            Fixture.area("over", .cache, limit: 1, importance: 90),
            Fixture.area("low", .cache, importance: 10), Fixture.area("plain", .cache),
        ])
        fixture.file("plain/new", unusedFor: .days(1))
        fixture.file("plain/small", size: 4096, unusedFor: .days(2))
        fixture.file("plain/large", size: 8192, unusedFor: .days(2))
        fixture.file("plain/old", unusedFor: .days(500))
        fixture.file("low/a", unusedFor: .days(1))
        fixture.file("over/a", unusedFor: .days(1))
        fixture.file("expired/old", unusedFor: .days(31))
        fixture.file("expired/young", unusedFor: .days(29))
        let plan = fixture.make().plan(.all)
        #expect(
            plan.paths == [
                "expired/old", "over/a", "low/a", "plain/old", "plain/large", "plain/small",
                "plain/new", "expired/young",
            ])
        #expect(plan[0].reason.code == .expired)
        #expect(plan[1].reason.code == .overLimit)
        #expect(plan[2].reason.code == .all)
    }

    @Test(.tags(.r16a)) func whatIsExactlyAtItsLimitIsNotOverIt() {
        var fixture = Fixture(areas: [
            Fixture.area("full", .cache, limit: 8192), Fixture.area("plain", .cache),
        ])
        fixture.file("full/new", size: 8192, unusedFor: .days(1))
        fixture.file("plain/old", size: 8192, unusedFor: .days(2))
        #expect(fixture.make().plan(.all).paths == ["plain/old", "full/new"])
        fixture.file("full/more", unusedFor: .days(1))
        #expect(fixture.make().plan(.all).paths.last == "plain/old")
    }

    @Test func sizesThatDifferLittleAreOrdered() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        // The key has 14 bits of the size; these two share them.
        fixture.file("a", size: 1 << 40)
        fixture.file("b", size: 1 << 40 + 4096)
        #expect(fixture.make().plan(.all).paths == ["b", "a"])
    }

    @Test(.tags(.r15c)) func anAreaMayGoByCreation() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, order: .oldestCreated)])
        let now = UInt32(Fixture.now.seconds)
        fixture.file("new") { $0.created = now - 10 }
        fixture.file("old") {
            $0.created = now - 1000
            $0.accessed = now
        }
        #expect(fixture.make().plan(.all).paths == ["old", "new"])
    }

    @Test func aFileWithoutABirthTimeIsYoung() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, order: .oldestCreated)])
        fixture.file("unknown", unusedFor: .days(900)) { $0.created = 0 }
        fixture.file("known", unusedFor: .days(2))
        let inventory = fixture.make()
        #expect(inventory.plan(.all).paths == ["known", "unknown"])
        #expect(inventory.plan(.olderThan(.days(1), by: .created)).paths == ["known"])
    }

    @Test(arguments: [
        (PurgeableClass.temporary, ["t/a"]), (.cache, ["t/a", "c/a"]),
        (.lastResort, ["t/a", "c/a", "l/a"]),
    ])
    func laterClassesStay(through: PurgeableClass, paths: [String]) {
        var fixture = Fixture(areas: [
            Fixture.area("l", .lastResort), Fixture.area("c", .cache),
            Fixture.area("t", .temporary),
        ])
        for path in ["l/a", "c/a", "t/a"] { fixture.file(path) }
        let plan = fixture.make().plan(.all, through: through)
        #expect(plan.paths == paths)
        #expect(plan.kept(.classNotAllowed) == 3 - paths.count)
    }

    @Test(.tags(.r2b)) func theNearestDeclarationWins() {
        var fixture = Fixture(areas: [
            Fixture.area("", .cache), Fixture.area("keep", .essential),
            Fixture.area("keep/tmp", .temporary),
        ])
        fixture.file("a", unusedFor: .days(3))
        fixture.file("keep/b", unusedFor: .days(3))
        fixture.file("keep/tmp/c", unusedFor: .days(1))
        #expect(fixture.make().plan(.all).paths == ["keep/tmp/c", "a"])
    }

    @Test func anAreaIsNearerThanAMarkAround() {
        var fixture = Fixture(areas: [
            Fixture.area("", .cache), Fixture.area("marked/keep", .essential),
        ])
        fixture.directory("marked") { $0.mark = Mark(purgeClass: .temporary) }
        fixture.file("marked/a")
        fixture.file("marked/keep/b")
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths == ["marked/a"])
        #expect(plan.first?.purgeClass == .temporary)
    }

    @Test(.tags(.r9a)) func marksNameClassImportanceAndPins() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.directory("d") { $0.mark = Mark(isPinned: true, importance: 5) }
        fixture.file("d/kept")
        fixture.file("d/lifted") { $0.mark = Mark(isPinned: false) }
        fixture.file("last", unusedFor: .days(900)) { $0.mark = Mark(purgeClass: .lastResort) }
        fixture.file("pinned") { $0.mark = Mark(isPinned: true) }
        fixture.file("damaged") { $0.hasDamagedMark = true }
        fixture.file("plain", unusedFor: .days(800))
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["d/lifted", "plain", "last"])
        #expect(plan.kept(.pinned) == 3)
    }

    @Test func aMarkDeclaresAFileOfAnEssentialArea() {
        var fixture = Fixture(areas: [Fixture.area("", .essential)])
        fixture.file("a") { $0.mark = Mark(purgeClass: .cache) }
        fixture.file("b") { $0.mark = Mark(importance: 0) }
        fixture.directory("d") { $0.mark = Mark(purgeClass: .lastResort) }
        fixture.file("d/c")
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths == ["a", "d/c"])
        #expect(plan.kept(.essential) == 1)
    }

    @Test func outsideOfAllAreasNothingGoes() {
        var fixture = Fixture(areas: [Fixture.area("in", .cache)])
        fixture.file("in/a")
        fixture.file("out/b") { $0.mark = Mark(purgeClass: .temporary) }
        #expect(fixture.make().plan(.all).paths == ["in/a"])
    }

    @Test(.tags(.s12b, .r45a)) func whatIsNotAFileStays() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        for (name, type) in [("fifo", FileType.fifo), ("socket", .socket), ("what", .unknown)] {
            fixture.file(name) { $0.type = type }
        }
        fixture.file("link", size: 0) { $0.type = .symbolicLink }
        fixture.file("immutable") { $0.isImmutable = true }
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["link"])
        #expect(plan.kept(.special) == 3)
        #expect(plan.kept(.immutable) == 1)
    }

    @Test(.tags(.s11f)) func inSharedDirectoriesOnlyOwnEntriesGo() {
        var fixture = Fixture(areas: [Fixture.area("", .temporary)])
        fixture.directory("") { $0.isSticky = true }
        fixture.file("mine")
        fixture.file("theirs") { $0.isForeign = true }
        fixture.directory("dir") { $0.owner = 7 }
        fixture.file("dir/sub/theirs too") { $0.isForeign = true }
        fixture.file("own/from another") { $0.isForeign = true }
        let plan = fixture.make().plan(.all)
        #expect(Set(plan.itemPaths) == ["mine", "own/from another"])
        #expect(plan.kept(.foreignOwner) == 2)
    }
}
