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

@Suite struct UnitTests {
    private func fixture() -> Fixture {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        fixture.directory("unit") { $0.allocated = 4096 }
        fixture.file("unit/a", size: 8192, unusedFor: .days(5))
        fixture.file("unit/sub/b", size: 4096, unusedFor: .days(3))
        fixture.directory("unit/sub/empty")
        fixture.file("single", unusedFor: .days(4))
        return fixture
    }

    @Test func aDirectoryGoesWhole() {
        let plan = fixture().make().plan(.all)
        #expect(plan.paths == ["single", "unit"])
        #expect(plan[1].unit == .directory)
        #expect(plan[1].bytes == ByteCount(16_384))
    }

    @Test(.tags(.r15d)) func itsLastUseIsItsNewestMembers() {
        var fixture = fixture()
        let old = UInt32(Fixture.now.seconds) - 30 * 86_400
        for path in ["unit", "unit/sub", "unit/sub/empty"] {
            fixture.directory(path) {
                $0.modified = old
                $0.created = old
            }
        }
        let inventory = fixture.make()
        #expect(inventory.plan(.all).paths == ["single", "unit"])
        #expect(inventory.plan(.olderThan(.days(3), by: .used)).paths == ["single", "unit"])
        #expect(inventory.plan(.olderThan(.seconds(3 * 86_400 + 1), by: .used)).paths == ["single"])
    }

    @Test func inodesCountAllMembers() {
        let plan = fixture().make().plan(.inodes(2))
        #expect(plan.count == 2)
        #expect(fixture().make().plan(.inodes(6)).missingInodes == 0)
        #expect(fixture().make().plan(.inodes(7)).missingInodes == 1)
    }

    @Test func aMarkedMemberDelaysTheWhole() {
        var fixture = fixture()
        fixture.file("unit/sub/marked") { $0.mark = Mark(purgeClass: .lastResort) }
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["single", "unit"])
        #expect(plan[1].purgeClass == .lastResort)
        #expect(fixture.make().plan(.all, through: .cache).paths == ["single"])
    }

    @Test(
        .tags(.s6a, .r45a),
        arguments: [
            "pinned", "pinned directory", "damaged", "mount", "special", "unreadable",
            "unknown entry",
            "nested area", "essential area", "immutable", "foreign", "foreign directory",
        ])
    func oneMemberKeepsTheWhole(blocker: String) {
        var fixture = fixture()
        var code = Reason.Code.pinned
        switch blocker {
        case "pinned": fixture.file("unit/x") { $0.mark = Mark(isPinned: true) }
        case "pinned directory":
            fixture.directory("unit/sub") { $0.mark = Mark(isPinned: true) }
        case "damaged": fixture.file("unit/x") { $0.hasDamagedMark = true }
        case "mount":
            fixture.directory("unit/sub") { $0.hasMounts = true }
            code = .mountPoint
        case "special":
            fixture.file("unit/x") { $0.type = .fifo }
            code = .special
        case "unreadable":
            fixture.directory("unit/sub") { $0.isUnreadable = true }
            code = .unreadable
        case "unknown entry":
            fixture.directory("unit/sub") { $0.hasUnreadable = true }
            code = .unreadable
        case "immutable":
            fixture.file("unit/x") { $0.isImmutable = true }
            code = .immutable
        case "foreign":
            fixture.directory("") { $0.isSticky = true }
            fixture.file("unit/x") { $0.isForeign = true }
            code = .foreignOwner
        case "foreign directory":
            fixture.directory("") { $0.isSticky = true }
            fixture.directory("unit/sub") { $0.owner = 7 }
            code = .foreignOwner
        default:
            var nested = Fixture(areas: [
                Fixture.area("", .cache, unit: .entry),
                Fixture.area("unit/sub", blocker == "nested area" ? .lastResort : .essential),
            ])
            nested.file("unit/sub/b")
            nested.file("unit/a")
            nested.file("single")
            fixture = nested
            code = blocker == "nested area" ? .nestedArea : .essential
        }
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths.filter { $0 != "unit/sub/b" } == ["single"])
        #expect(plan.kept(code) > 0)
        #expect(!plan.paths.contains("unit/sub/empty"))
        #expect(plan.obstacles.map(\.path.string) == ["\(Fixture.root)/unit"])
        #expect(plan.obstacles.map(\.reason.code) == [code])
    }

    @Test func whatStaysOfSingleFilesIsNamed() {
        var fixture = Fixture(areas: [Fixture.area("", .cache), Fixture.area("e", .essential)])
        fixture.file("a")
        fixture.file("fifo") { $0.type = .fifo }
        fixture.file("pinned") { $0.mark = Mark(isPinned: true) }
        fixture.directory("d") { $0.hasMounts = true }
        fixture.directory("p") { $0.mark = Mark(isPinned: true) }
        fixture.file("p/sub/below")
        fixture.file("late") { $0.mark = Mark(purgeClass: .lastResort) }
        fixture.file("e/fifo") { $0.type = .fifo }
        let plan = fixture.make().plan(.all, through: .cache)
        let found = Dictionary(
            uniqueKeysWithValues: plan.obstacles.map {
                (String($0.path.string.dropFirst(Fixture.root.count + 1)), $0.reason.code)
            })
        #expect(
            found == [
                "fifo": .special, "pinned": .pinned, "d": .mountPoint, "p": .pinned,
            ])
    }

    @Test func aMarkInsideAnEssentialEntryHolds() {
        var fixture = Fixture(areas: [Fixture.area("", .essential, unit: .entry)])
        fixture.file("unit/a")
        fixture.directory("unit/sub") { $0.mark = Mark(purgeClass: .cache) }
        fixture.file("unit/sub/b")
        #expect(fixture.make().plan(.all).paths == ["unit/sub/b"])
    }

    // MARK: - Sets

    @Test(.tags(.r15d)) func aDatabaseTakesItsSidecars() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("x.db", unusedFor: .days(9))
        fixture.file("x.db-wal", unusedFor: .days(1))
        fixture.file("x.db-shm", unusedFor: .days(9))
        fixture.file("x.db-journal", unusedFor: .days(9))
        fixture.file("other", unusedFor: .days(2))
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["other", "x.db"])
        #expect(plan[1].unit == .fileSet)
        #expect(plan[1].bytes == ByteCount(4 * 4096))
        #expect(plan[1].sidecars.map(\.text) == ["x.db-journal", "x.db-wal", "x.db-shm"])
        #expect(fixture.make().plan(.inodes(5)).missingInodes == 0)
    }

    @Test func aSidecarWithoutItsDatabaseIsAFile() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("x.db-wal")
        let plan = fixture.make().plan(.all)
        #expect(plan.map(\.unit) == [.file])
    }

    @Test(arguments: ["pinned sidecar", "pinned database", "linked", "special", "immutable"])
    func oneMemberKeepsTheSet(blocker: String) {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        var code = Reason.Code.pinned
        fixture.file("x.db") {
            if blocker == "pinned database" { $0.mark = Mark(isPinned: true) }
        }
        fixture.file("x.db-wal") {
            switch blocker {
            case "pinned sidecar": $0.mark = Mark(isPinned: true)
            case "linked":
                $0.linkCount = 2
                code = .linkedElsewhere
            case "special":
                $0.type = .fifo
                code = .special
            case "immutable":
                $0.isImmutable = true
                code = .immutable
            default: break
            }
        }
        let plan = fixture.make().plan(.all)
        #expect(plan.isEmpty)
        #expect(plan.kept(code) == 2)
    }

    @Test func aSetGoesWithItsLatestClass() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("x.db") { $0.mark = Mark(purgeClass: .temporary) }
        fixture.file("x.db-wal") { $0.mark = Mark(purgeClass: .lastResort) }
        let plan = fixture.make().plan(.all)
        #expect(plan.map(\.purgeClass) == [.lastResort])
        #expect(plan[0].sidecars.count == 1)
    }

    @Test func aMarkedSidecarDoesNotGoFromAnEssentialDatabase() {
        var fixture = Fixture(areas: [Fixture.area("", .essential)])
        fixture.file("x.db")
        fixture.file("x.db-wal") { $0.mark = Mark(purgeClass: .temporary) }
        #expect(fixture.make().plan(.all).isEmpty)
    }

    @Test(.tags(.s1d)) func aNameAloneDoesNotLendAMark() throws {
        var fixture = Fixture(areas: [Fixture.area("", .essential), Fixture.area("c", .cache)])
        for name in ["trip", "c/trip"] {
            fixture.file(name) { $0.mark = Mark(purgeClass: .temporary, importance: 10) }
            fixture.file("\(name)-journal")
        }
        fixture.directory("p") { $0.mark = Mark(purgeClass: .cache, isPinned: true) }
        fixture.file("p/trip") { $0.mark = Mark(isPinned: false) }
        fixture.file("p/trip-journal")
        let inventory = fixture.make()
        let plan = inventory.plan(.all)
        #expect(plan.paths == ["c/trip"])
        #expect(plan.map(\.purgeClass) == [.cache])
        #expect(plan.kept(.essential) == 2)
        #expect(plan.kept(.pinned) == 2)

        let mains = try ["trip", "c/trip", "p/trip"].map {
            try #require(inventory.item(at: FilePath("\(Fixture.root)/\($0)"))).number
        }
        let known = inventory.with(databases: Set(mains)).plan(.all)
        #expect(Set(known.paths) == ["trip", "c/trip", "p/trip"])
        #expect(known.map(\.purgeClass) == [.temporary, .temporary, .cache])
    }

    @Test func namesThatEndTwiceMakeOneSet() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        for name in ["x-wal-wal", "x", "x-wal"] { fixture.file(name) }
        let plan = fixture.make().plan(.all)
        #expect(plan.paths == ["x"])
        #expect(plan[0].sidecars.count == 2)
    }

    // MARK: - Empty directories

    @Test func directoriesLeftEmptyGoDeepestFirst() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a/b/c/x")
        fixture.file("a/y")
        fixture.file("d/z", unusedFor: .days(0))
        fixture.directory("e")
        let plan = fixture.make().plan(.olderThan(.seconds(60), by: .used))
        #expect(Array(plan.paths.dropFirst(2)) == ["a/b/c", "a/b", "a"])
        #expect(plan[2].reason.code == .leftEmpty)
    }

    @Test(arguments: ["foreign", "marked", "unreadable", "mount", "area"])
    func someDirectoriesStay(why: String) {
        var areas = [Fixture.area("", .cache)]
        if why == "area" { areas.append(Fixture.area("d", .cache)) }
        var fixture = Fixture(areas: areas)
        fixture.file("d/x")
        fixture.directory("d") {
            switch why {
            case "foreign": $0.owner = 7
            case "marked": $0.mark = Mark(importance: 3)
            case "unreadable": $0.hasUnreadable = true
            case "mount": $0.hasMounts = true
            default: break
            }
        }
        #expect(fixture.make().plan(.all).paths == ["d/x"])
    }
}
