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

/// What is never planned, each for a reason of its own: S1, S4, S6, S11.
struct PlanRefusalTests {
    private var fixture: Fixture {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("own")
        return fixture
    }

    @Test(.tags(.s11f)) func whatLiesInAnothersDirectoryOfASharedOneStays() {
        var fixture = fixture
        fixture.directory("") { $0.isSticky = true }
        fixture.directory("theirs") { $0.owner = 7 }
        fixture.file("theirs/a")
        // Ours again, but only they may say what becomes of it.
        fixture.file("theirs/ours/b")
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths == ["own"])
        #expect(plan.kept(.foreignOwner) == 2)
    }

    @Test(.tags(.r9e)) func damagedMarksProtect() {
        var fixture = fixture
        fixture.directory("d") { $0.hasDamagedMark = true }
        fixture.file("d/a")
        fixture.file("d/sub/b")
        fixture.file("c") { $0.hasDamagedMark = true }
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths == ["own"])
        #expect(plan.kept(.pinned) == 3)
    }

    @Test func anAreaInAUnitIsPlannedByItsOwnTerms() {
        var fixture = Fixture(areas: [
            Fixture.area("", .cache, unit: .entry), Fixture.area("unit/inner", .temporary),
        ])
        fixture.file("unit/a")
        fixture.file("unit/inner/b")
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths == ["unit/inner/b"])
    }

    // MARK: What an interrupted purge has left

    private static let leftover = "\(ReservedName.prefix)1-2"

    private func leftover(_ change: (inout Fixture) -> Void = { _ in }) -> Plan {
        var fixture = fixture
        fixture.directory(Self.leftover) { $0.isReserved = true }
        fixture.file("\(Self.leftover)/a")
        fixture.file("\(Self.leftover)/sub/b")
        change(&fixture)
        return fixture.make().plan(.all)
    }

    @Test func itGoesWholeAndNotByItsFiles() {
        let plan = leftover()
        #expect(Set(plan.itemPaths) == ["own", Self.leftover])
        #expect(plan.count { $0.unit == .leftover } == 1)
    }

    @Test func anothersStays() {
        let plan = leftover { $0.directory(Self.leftover) { $0.owner = 7 } }
        #expect(plan.itemPaths == ["own"])
    }

    @Test func inASharedDirectoryNothingOfOthersMayBeInIt() {
        let plan = leftover {
            $0.directory("") { $0.isSticky = true }
            $0.file("\(Self.leftover)/theirs") { $0.isForeign = true }
        }
        #expect(plan.itemPaths == ["own"])
    }

    @Test(arguments: [
        (ReservedName.prefix, false), ("\(ReservedName.prefix)1", true), (".headroom", false),
        ("x\(ReservedName.prefix)1-2", false),
    ])
    func itIsKnownByItsName(name: String, isReserved: Bool) throws {
        let name = try #require(FileName(name))
        #expect(name.withEntryName { ReservedName.matches($0) } == isReserved)
    }
}
