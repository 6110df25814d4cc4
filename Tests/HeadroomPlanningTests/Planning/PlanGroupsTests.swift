//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite struct PlanGroupsTests {
    private func fixture() -> Fixture {
        var fixture = Fixture(areas: [
            Fixture.area("tmp", .temporary), Fixture.area("kept", .cache, retention: .days(5)),
            Fixture.area("small", .cache, limit: 4_096),
            Fixture.area("units", .cache, unit: .entry),
        ])
        fixture.directory("kept/d") { $0.allocated = 4_096 }
        fixture.file("tmp/a", size: 8_192, unusedFor: .days(1))
        fixture.file("kept/d/b", size: 8_192, unusedFor: .days(9))
        fixture.file("kept/c", size: 4_096, unusedFor: .days(1))
        fixture.file("small/d", size: 8_192, unusedFor: .days(3))
        fixture.file("small/e", size: 4_096, unusedFor: .days(2))
        fixture.file("units/u/f", size: 4_096, unusedFor: .days(4))
        return fixture
    }

    @Test(
        arguments: [
            [.all], [.expired], [.overLimit], [.free(ByteCount(20_000))],
            [.olderThan(.days(2), by: .used)], [.expired, .overLimit],
        ] as [[Target]])
    func eachEntryIsInTheGroupOfItsReason(targets: [Target]) {
        let plan = Planner.plan(
            fixture().make(), PlanRequest(targets: targets, now: Fixture.now, user: Fixture.user))
        #expect(!plan.isEmpty)
        let groups = plan.groups()
        var bytes = groups.groups.map { _ in ByteCount.zero }
        var items = groups.groups.map { _ in 0 }
        for (index, entry) in plan.enumerated() {
            let number = groups.number(ofEntry: index)
            #expect(groups.groups[number].code == entry.reason.code)
            #expect(groups.groups[number].purgeClass == entry.purgeClass)
            #expect(plan.bytes(at: index) == entry.bytes)
            #expect(plan.purgeClass(at: index) == entry.purgeClass)
            bytes[number] += entry.bytes
            items[number] += 1
        }
        #expect(groups.groups.map(\.bytes) == bytes)
        #expect(groups.groups.map(\.items) == items)
    }
}
