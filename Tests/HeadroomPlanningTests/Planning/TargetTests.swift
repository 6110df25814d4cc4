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

@Suite struct TargetTests {
    /// Ten files of 10,000 bytes, unused for 1…10 days.
    private func inventory(limit: Int64? = nil, retention: Duration? = nil) -> Inventory {
        var fixture = Fixture(areas: [
            Fixture.area("", .cache, retention: retention, limit: limit)
        ])
        for day in 1...10 {
            fixture.file("\(day)", size: 10_000, unusedFor: .days(Int64(day)))
        }
        return fixture.make()
    }

    @Test(.tags(.r16a)) func freesNoMoreThanNeeded() {
        let plan = inventory().plan(.free(ByteCount(25_000)))
        #expect(plan.paths == ["10", "9", "8"])
        #expect(plan.frees == ByteCount(30_000))
        #expect(plan.reachesTarget)
        #expect(plan.kept(.notNeeded) == 7)
        #expect(inventory().plan(.free(ByteCount(30_000))).count == 3)
        #expect(inventory().plan(.free(ByteCount(30_001))).count == 4)
        #expect(inventory().plan(.free(.zero)).isEmpty)
    }

    @Test func notEnoughIsAResult() {
        let plan = inventory().plan(.free(ByteCount(120_000)))
        #expect(plan.count == 10)
        #expect(!plan.reachesTarget)
        #expect(plan.missing == ByteCount(20_000))
    }

    @Test(.tags(.r16a)) func reachesWhatIsToBeAvailable() {
        let volume = PlanRequest.VolumeState.fixture(
            total: 1_000_000, available: 80_000, normalFrom: 105_000)
        let inventory = inventory()
        #expect(inventory.plan(.available(ByteCount(95_000)), volume: volume).count == 2)
        #expect(inventory.plan(.availableShare(basisPoints: 1_000), volume: volume).count == 2)
        #expect(inventory.plan(.normalLevel, volume: volume).count == 3)
        #expect(inventory.plan(.available(ByteCount(80_000)), volume: volume).isEmpty)
    }

    @Test func withoutAVolumeNothingIsAvailableOnIt() {
        let plan = inventory().plan(.available(ByteCount(95_000)))
        #expect(plan.isEmpty)
        #expect(!plan.reachesTarget)
    }

    @Test func otherVolumesDoNotHelp() {
        var volume = PlanRequest.VolumeState.fixture(total: 1_000_000, available: 0)
        volume.device += 1
        let plan = inventory().plan(.free(ByteCount(10_000)), volume: volume)
        #expect(plan.isEmpty)
        #expect(plan.missing == ByteCount(10_000))
    }

    @Test func takesEverythingExpired() {
        let plan = inventory(retention: .days(8)).plan(.expired)
        #expect(plan.paths == ["10", "9", "8"])
        #expect(inventory(retention: nil).plan(.expired).isEmpty)
    }

    @Test func retentionBeforeTheEpochNeverEnds() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, retention: .days(365 * 900))])
        fixture.file("a") {
            $0.modified = 0
            $0.accessed = 0
            $0.created = 0
        }
        #expect(fixture.make().plan(.expired).isEmpty)
    }

    @Test func takesEverythingOfAnAge() {
        #expect(inventory().plan(.olderThan(.days(9), by: .used)).paths == ["10", "9"])
        #expect(inventory().plan(.olderThan(.days(9), by: .used))[0].reason.code == .olderThan)
    }

    @Test(.tags(.r16a)) func eachAgeHasItsBasis() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        let now = UInt32(Fixture.now.seconds)
        fixture.file("modified long ago") {
            $0.modified = now - 1000
            $0.created = now - 5
        }
        fixture.file("created long ago") {
            $0.modified = now - 5
            $0.created = now - 900
        }
        fixture.file("used lately", unusedFor: .seconds(5))
        let inventory = fixture.make()
        #expect(
            inventory.plan(.olderThan(.seconds(950), by: .modified)).paths == ["modified long ago"])
        #expect(inventory.plan(.olderThan(.seconds(800), by: .used)).isEmpty)
        let both = inventory.plan(
            .olderThan(.seconds(950), by: .modified), .olderThan(.seconds(850), by: .created))
        #expect(Set(both.paths) == ["modified long ago", "created long ago"])
        // Each says by which age it goes.
        #expect(
            Set(both.map(\.reason.text)) == [
                "cache, modified 16 minutes ago", "cache, created 15 minutes ago",
            ])
    }

    @Test(.tags(.r16a)) func shrinksAnAreaToItsLimit() {
        let plan = inventory(limit: 65_000).plan(.overLimit)
        #expect(plan.paths == ["10", "9", "8", "7"])
        #expect(plan.reachesTarget)
        #expect(inventory(limit: 100_000).plan(.overLimit).isEmpty)
    }

    @Test func shrinksAnAreaToASize() {
        #expect(inventory().plan(.toLimit(ByteCount(80_000))).paths == ["10", "9"])
        #expect(inventory().plan(.toLimit(.zero)).count == 10)
    }

    @Test func saysWhichAreaStaysOverItsLimit() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, limit: 5_000)])
        fixture.file("a", size: 10_000) { $0.mark = Mark(isPinned: true) }
        fixture.file("b", size: 1_000)
        let plan = fixture.make().plan(.overLimit)
        #expect(plan.paths == ["b"])
        #expect(!plan.reachesTarget)
        #expect(plan.overLimit.map(\.excess) == [ByteCount(5_000)])
    }

    @Test(.tags(.r16a)) func freesInodes() {
        let plan = inventory().plan(.inodes(4))
        #expect(plan.paths == ["10", "9", "8", "7"])
        #expect(inventory().plan(.inodes(12)).missingInodes == 2)
    }

    @Test(.tags(.r16b)) func allTargetsHold() {
        let inventory = inventory(limit: 95_000, retention: .days(10))
        #expect(inventory.plan(.expired, .free(ByteCount(15_000))).paths == ["10", "9"])
        #expect(inventory.plan(.free(ByteCount(15_000)), .inodes(5)).count == 5)
        #expect(inventory.plan(.free(ByteCount(45_000)), .inodes(2)).count == 5)
        #expect(inventory.plan(.overLimit, .olderThan(.days(8), by: .used)).count == 3)
        #expect(inventory.plan(.free(ByteCount(5)), .free(ByteCount(25_000))).count == 3)
        #expect(inventory.plan(.all, .free(ByteCount(5))).count == 10)
    }

    @Test func whatFreesNothingIsNotTakenForBytes() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("empty", size: 0, unusedFor: .days(99))
        fixture.file("full", size: 4096)
        let inventory = fixture.make()
        #expect(inventory.plan(.free(ByteCount(1))).paths == ["full"])
        #expect(inventory.plan(.inodes(1)).paths == ["empty"])
    }

    @Test func hostileNumbersDoNotTrap() {
        var fixture = Fixture(areas: [
            Fixture.area("", .cache, retention: .seconds(Int64.max), limit: .max),
            Fixture.area("x", .cache, unit: .entry, retention: .seconds(-5), limit: -1),
        ])
        for index in 0..<20 {
            for directory in ["", "x/", "x/u/"] {
                fixture.file("\(directory)\(index)", size: .max - Int64(index)) {
                    $0.modified = .max
                    $0.created = index % 2 == 0 ? 0 : .max
                }
            }
        }
        fixture.file("negative", size: .min)
        fixture.link("negative too", to: "negative")
        fixture.file("many") { $0.linkCount = .max }
        let inventory = fixture.make()
        let volume = PlanRequest.VolumeState.fixture(
            total: .max, available: .min, normalFrom: .max)
        for target in [
            Target.free(ByteCount(.max)), .available(ByteCount(.max)), .normalLevel, .overLimit,
            .availableShare(basisPoints: .max), .toLimit(ByteCount(.min)), .inodes(.max), .all,
            .olderThan(.seconds(Int64.max), by: .used), .expired,
            .olderThan(.seconds(Int64.min), by: .created),
        ] {
            let plan = inventory.plan(target, .free(ByteCount(3)), volume: volume)
            for entry in plan { #expect(entry.bytes >= .zero) }
        }
    }
}
