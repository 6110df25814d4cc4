//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite struct PlanLeavingOutTests {
    private func index(of path: String, in plan: Plan) throws -> Int {
        try #require(plan.paths.firstIndex(of: path))
    }

    @Test func whatIsLeftOutIsNotFreed() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", size: 10_000, unusedFor: .days(9))
        fixture.file("b", size: 4_000, unusedFor: .days(8))
        let plan = fixture.make().plan(.free(ByteCount(12_000)))
        #expect(plan.reachesTarget)
        let rest = try plan.leavingOut([try index(of: "b", in: plan)])
        #expect(rest.paths == ["a"])
        #expect(rest.frees == plan[try index(of: "a", in: plan)].bytes)
        #expect(rest.missing == ByteCount(12_000) - rest.frees)
        #expect(!rest.reachesTarget)
        #expect(rest.kept(.notSelected) == 1)
        #expect(try plan.leavingOut([]).paths == plan.paths)
    }

    @Test func whatWasMoreThanWantedIsNotMissed() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", size: 10_000, unusedFor: .days(9))
        fixture.file("b", size: 10_000, unusedFor: .days(8))
        let plan = fixture.make().plan(.free(ByteCount(11_000)))
        let rest = try plan.leavingOut([0])
        #expect(rest.missing == ByteCount(11_000) - rest.frees)
        let all = fixture.make().plan(.all)
        #expect(try all.leavingOut([0]).reachesTarget)
    }

    @Test(arguments: ["a", "b", "c"])
    func allNamesOfAFileStayTogether(name: String) throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", size: 10_000, unusedFor: .days(9))
        fixture.link("b", to: "a")
        fixture.link("c", to: "a")
        fixture.file("d", size: 4_096, unusedFor: .days(1))
        let plan = fixture.make().plan(.all)
        #expect(plan.count == 4)
        let rest = try plan.leavingOut([try index(of: name, in: plan)])
        #expect(rest.paths == ["d"])
        #expect(rest.frees == plan[try index(of: "d", in: plan)].bytes)
        #expect(rest.kept(.notSelected) == 3)
    }

    /// The other link goes with a unit, and frees nothing by itself then.
    @Test func aUnitWithoutTheOtherLinkFreesLess() throws {
        var fixture = Fixture(areas: [
            Fixture.area("units", .cache, unit: .entry), Fixture.area("files", .cache),
        ])
        fixture.directory("units/unit") { $0.allocated = 4_096 }
        fixture.file("units/unit/a", size: 8_192, unusedFor: .days(9))
        fixture.link("files/b", to: "units/unit/a")
        let plan = fixture.make().plan(.all)
        #expect(plan.itemPaths.sorted() == ["files/b", "units/unit"])
        #expect(plan.frees >= ByteCount(12_288))
        let withoutLink = try plan.leavingOut([try index(of: "files/b", in: plan)])
        #expect(withoutLink.itemPaths == ["units/unit"])
        #expect(withoutLink.frees == ByteCount(4_096))
        let withoutUnit = try plan.leavingOut([try index(of: "units/unit", in: plan)])
        #expect(withoutUnit.itemPaths == ["files/b"])
        #expect(withoutUnit.frees == .zero)
    }

    @Test func aUnitIsOneEntry() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        fixture.file("unit/a", size: 8_192, unusedFor: .days(5))
        fixture.file("unit/sub/b", size: 4_096, unusedFor: .days(3))
        fixture.file("single", unusedFor: .days(4))
        let plan = fixture.make().plan(.all)
        let rest = try plan.leavingOut([try index(of: "unit", in: plan)])
        #expect(rest.paths == ["single"])
    }

    @Test func aDatabaseStaysWithItsSidecars() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("x.sqlite", size: 8_192, unusedFor: .days(5))
        fixture.file("x.sqlite-wal", size: 4_096, unusedFor: .days(5))
        fixture.file("y", size: 4_096, unusedFor: .days(5))
        let plan = fixture.make().plan(.all)
        let rest = try plan.leavingOut([try index(of: "x.sqlite", in: plan)])
        #expect(rest.paths == ["y"])
    }

    @Test func directoriesAroundWhatStaysStay() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.directory("one/two") { $0.allocated = 4_096 }
        fixture.directory("other") { $0.allocated = 4_096 }
        fixture.file("one/two/a", size: 8_192, unusedFor: .days(5))
        fixture.file("one/b", size: 8_192, unusedFor: .days(5))
        fixture.file("other/c", size: 8_192, unusedFor: .days(5))
        let plan = fixture.make().plan(.all)
        #expect(plan.paths.contains("one/two"))
        #expect(plan.paths.contains("one"))
        let rest = try plan.leavingOut([try index(of: "one/two/a", in: plan)])
        #expect(rest.paths.sorted() == ["one/b", "other", "other/c"])
        // A directory itself may be wanted.
        let kept = try plan.leavingOut([try index(of: "one/two", in: plan)])
        #expect(kept.paths.sorted() == ["one/b", "one/two/a", "other", "other/c"])
    }

    @Test func inodesThatStayAreMissed() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache, unit: .entry)])
        fixture.file("unit/a", size: 8_192, unusedFor: .days(5))
        fixture.file("unit/b", size: 4_096, unusedFor: .days(3))
        let plan = fixture.make().plan(.inodes(3))
        #expect(plan.missingInodes == 0)
        #expect(try plan.leavingOut([0]).missingInodes == 3)
    }

    @Test func aPlanFromAFileIsRefused() throws {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("a", size: 8_192, unusedFor: .days(5))
        let directory = try TemporaryDirectory()
        let file = directory.path.appending("plan")
        try SavedPlan.save(fixture.make().plan(.all), to: file)
        let saved = try SavedPlan.load(file)
        #expect(throws: HeadroomError.self) { try saved.leavingOut([0]) }
    }

    /// Whatever stays, the rest frees what a purge of just that would, and the parts add up.
    @Test func atRandomTheFiguresAreThoseOfTheRest() throws {
        for seed in UInt64(1)...40 {
            var random = SeededGenerator(seed: seed)
            var fixture = Fixture(areas: [
                Fixture.area("units", .cache, unit: .entry), Fixture.area("files", .cache),
            ])
            var names: [String] = []
            for number in 0..<30 {
                let place = random.next() % 2 == 0 ? "files/d\(number % 4)" : "units/u\(number % 3)"
                let name = "\(place)/f\(number)"
                if !names.isEmpty, random.next() % 3 == 0 {
                    fixture.link(name, to: names[Int(random.next() % UInt64(names.count))])
                } else {
                    fixture.file(
                        name, size: Int64(random.next() % 9 + 1) * 4_096,
                        unusedFor: .days(Int64(random.next() % 50 + 1)))
                    names.append(name)
                }
            }
            let plan = fixture.make().plan(.all)
            let chosen = Set(plan.indices.filter { _ in random.next() % 3 == 0 })
            let staying = plan.entriesStaying(with: chosen)
            let rest = try plan.leavingOut(chosen)
            #expect(staying.isSuperset(of: chosen), "seed \(seed)")
            #expect(rest.count == plan.count - staying.count, "seed \(seed)")
            #expect(rest.frees <= plan.frees, "seed \(seed)")
            #expect(try rest.leavingOut([]).frees == rest.frees, "seed \(seed)")
            // In two steps it is the same.
            let half = Set(chosen.prefix(chosen.count / 2))
            let first = try plan.leavingOut(half)
            let paths = Set(rest.paths)
            let others = Set(first.indices.filter { !paths.contains(first.paths[$0]) })
            let second = try first.leavingOut(others)
            #expect(second.paths == rest.paths, "seed \(seed)")
            #expect(second.frees == rest.frees, "seed \(seed)")
        }
    }
}
