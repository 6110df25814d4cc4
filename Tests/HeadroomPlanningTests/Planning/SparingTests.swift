//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite("R21: what a clean-up spares")
struct SparingTests {
    private func plan(_ fixture: Fixture, _ sparing: Sparing) -> Plan {
        var request = PlanRequest(
            targets: [.all], through: .lastResort, now: Fixture.now, user: Fixture.user)
        request.sparing = sparing
        return Planner.plan(fixture.make(), request)
    }

    @Test func hiddenEntriesStayAlsoWhereTheyGoWhole() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        for name in [".unit/a", "unit/b", ".file", "file", "unit2/.inner"] { fixture.file(name) }
        let plan = plan(fixture, Sparing(hidden: true))
        #expect(Set(plan.paths) == ["unit", "file", "unit2"])
        #expect(plan.kept(.hidden) == 2)
        #expect(self.plan(fixture, .nothing).count == 5)
    }

    @Test func whatIsInAHiddenDirectoryIsHidden() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        for name in [".d/a", ".d/e/f/b", "d/.e/c", "d/f"] { fixture.file(name) }
        #expect(plan(fixture, Sparing(hidden: true)).itemPaths == ["d/f"])
    }

    /// A file and a directory that goes whole count one each, however they are numbered.
    @Test(arguments: 0...9)
    func soManyOfTheYoungestStay(newest: Int) {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        let names = ["a", "u/x", "b", "c", "v/y", "d", "w/z", "e"]
        for (age, name) in names.enumerated() {
            fixture.file(name, unusedFor: .days(Int64(age) + 1))
            guard let unit = name.split(separator: "/").first, name.contains("/") else { continue }
            fixture.directory(String(unit)) {
                $0.modified = UInt32(Fixture.now.seconds) - UInt32(age + 1) * 86_400
                $0.created = $0.modified
            }
        }
        let plan = plan(fixture, Sparing(newest: newest))
        let gone = names.dropFirst(newest).map { String($0.prefix(1)) }
        #expect(Set(plan.paths) == Set(gone))
    }

    /// It counts once, and stays with all of its names.
    @Test func aFileWithSeveralNamesIsOneOfThem() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        for (age, name) in ["a", "b", "c"].enumerated() {
            fixture.file(name, unusedFor: .days(Int64(age) + 1))
        }
        fixture.link("again", to: "a")
        #expect(plan(fixture, Sparing(newest: 1)).paths == ["c", "b"])
        #expect(plan(fixture, Sparing(newest: 2)).paths == ["c"])
    }
}
