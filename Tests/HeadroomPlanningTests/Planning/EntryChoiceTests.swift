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

@Suite("R32, R40: a request that is about some entries of some areas")
struct EntryChoiceTests {
    private static let leftover = "\(ReservedName.prefix)1-2"

    private func path(_ path: String) -> FilePath {
        FilePath(path.isEmpty ? Fixture.root : "\(Fixture.root)/\(path)")
    }

    private func plan(
        _ fixture: Fixture, _ rules: [String: EntryChoice.Rule], _ targets: [Target] = [.all]
    ) -> Plan {
        var request = PlanRequest(
            targets: targets, through: .lastResort, now: Fixture.now, user: Fixture.user)
        request.entries = EntryChoice(
            Dictionary(uniqueKeysWithValues: rules.map { (path($0.key), $0.value) }))
        return Planner.plan(fixture.make(), request)
    }

    private func sparing(
        _ patterns: String..., retention: Duration = .zero, keepsFirstLevel: Bool = false
    ) throws -> EntryChoice.Rule {
        let patterns = try patterns.map {
            try #require(PathGlob(Array("\(Fixture.root)/\($0)".utf8)))
        }
        return .sparing(
            EntryExclusions(
                root: path(""), keepsFirstLevel: keepsFirstLevel, retention: retention,
                patterns: patterns))
    }

    private let named = EntryChoice.Rule.named([LeftoverPattern("X*")])

    /// Directories that were made long ago, like their files.
    private func old(_ directory: inout InventoryDraft.Directory) {
        directory.modified = UInt32(Fixture.now.seconds) - 30 * 86_400
        directory.created = directory.modified
    }

    // MARK: By name

    @Test func onlyDirectChildrenOfTheAreaAreNamed() {
        var fixture = Fixture(areas: [Fixture.area("", .temporary)])
        for name in ["X1", "other", "sub/X2"] { fixture.file(name) }
        let plan = plan(fixture, ["": named])
        #expect(plan.paths == ["X1"])
        #expect(plan.kept(.notAsked) == 2)
    }

    @Test func nothingGoesFromAnAreaThatIsNotAskedAbout() throws {
        var fixture = Fixture(areas: [
            Fixture.area("", .temporary), Fixture.area("inner", .temporary),
        ])
        for name in ["X1", "inner/X2", "inner/other"] { fixture.file(name) }
        fixture.directory("inner/empty", old)
        #expect(plan(fixture, ["": .all]).paths == ["X1"])
        #expect(plan(fixture, ["": named]).paths == ["X1"])
        let sparing = try sparing()
        #expect(plan(fixture, ["": sparing]).itemPaths == ["X1"])
    }

    /// Places around an area are looked through as well.
    @Test func nothingGoesFromPlacesThatAreNoArea() throws {
        var fixture = Fixture(areas: [Fixture.area("area", .temporary)])
        for name in ["X1", "around/X2", "area/X3", "area/sub/X4"] { fixture.file(name) }
        fixture.directory("empty", old)
        let rules: [EntryChoice.Rule] = [.all, try sparing()]
        for rule in rules {
            #expect(Set(plan(fixture, ["area": rule]).itemPaths) == ["area/X3", "area/sub/X4"])
        }
        #expect(plan(fixture, ["area": named]).paths == ["area/X3"])
        #expect(Set(plan(fixture, ["area": .allButNewest]).itemPaths) == ["area/X3"])
    }

    /// Empty before, whatever they are called: what has a name is an entry.
    @Test func whereEntriesAreNamedNoEmptyDirectoryGoes() {
        var fixture = Fixture(areas: [Fixture.area("", .temporary)])
        fixture.file("X1")
        fixture.directory("empty", old)
        fixture.directory("X2", old)
        #expect(plan(fixture, ["": named]).paths == ["X1"])
        #expect(Set(plan(fixture, ["": .all]).paths) == ["X1", "empty", "X2"])
    }

    @Test func whatAnInterruptedPurgeLeftGoesWhateverIsAskedFor() {
        for rule in [named, .all, .allButNewest] {
            var fixture = Fixture(areas: [Fixture.area("", .temporary)])
            fixture.file("other", unusedFor: .zero)
            fixture.directory(Self.leftover) { $0.isReserved = true }
            fixture.file("\(Self.leftover)/a")
            #expect(plan(fixture, ["": rule]).paths.contains(Self.leftover))
        }
    }

    // MARK: All, and all but the newest

    @Test func allIsAllWithTheDirectoriesThatAreLeftEmpty() {
        var fixture = Fixture(areas: [Fixture.area("", .temporary)])
        for name in ["a", "d/b", "d/e/c"] { fixture.file(name) }
        #expect(Set(plan(fixture, ["": .all]).paths) == ["a", "d/b", "d/e/c", "d/e", "d"])
    }

    /// What has expired goes; a directory that was empty before has no age of its own where nothing says so.
    @Test func whatWasEmptyBeforeStaysWhereOnlyTheExpiredGoes() throws {
        var fixture = Fixture(areas: [Fixture.area("", .temporary, retention: .days(1))])
        fixture.file("a", unusedFor: .days(3))
        fixture.directory("empty", old)
        #expect(plan(fixture, ["": .all], [.expired]).paths == ["a"])
        let rule = try sparing(retention: .days(1))
        #expect(Set(plan(fixture, ["": rule], [.expired]).paths) == ["a", "empty"])
    }

    @Test func theFileThatWasModifiedLastStaysAndHoldsItsDirectory() {
        var fixture = Fixture(areas: [Fixture.area("", .temporary)])
        fixture.file("a", unusedFor: .days(3))
        fixture.file("d/b", unusedFor: .days(2))
        fixture.file("e/newest", unusedFor: .days(1))
        #expect(Set(plan(fixture, ["": .allButNewest]).paths) == ["a", "d/b", "d"])
    }

    // MARK: All but what patterns name

    @Test func whatAPatternNamesStaysWithAllThatIsInIt() throws {
        var fixture = Fixture(areas: [Fixture.area("", .temporary, retention: .zero)])
        for name in ["kept/a", "kept/deep/b", "gone/c", "gone/d.keep", "f"] {
            fixture.file(name)
        }
        for name in ["kept", "kept/deep", "kept/empty", "gone"] { fixture.directory(name, old) }
        let rule = try sparing("kept", "*/*.keep")
        let plan = plan(fixture, ["": rule], [.expired])
        #expect(Set(plan.paths) == ["gone/c", "f"])
    }

    /// What is said of one file of a set holds for all of it.
    @Test(.tags(.r40b), arguments: ["foo", "foo-journal", "foo-wal"])
    func whatKeepsOneFileOfASetKeepsTheWhole(named: String) throws {
        var fixture = Fixture(areas: [Fixture.area("", .temporary, retention: .zero)])
        for name in ["foo", "foo-journal", "foo-wal", "other"] {
            fixture.file(name, unusedFor: name == named ? .days(1) : .days(2))
        }
        let rule = try sparing(named)
        let plan = plan(fixture, ["": rule], [.expired])
        #expect(plan.paths == ["other"])
        #expect(plan.kept(.notAsked) == 1)
        #expect(self.plan(fixture, ["": .allButNewest]).paths == ["other"])
        let others = ["foo", "foo-journal", "foo-wal", "other"].filter { $0 != named }
        let byName = EntryChoice.Rule.named(others.map { LeftoverPattern($0) })
        #expect(self.plan(fixture, ["": byName]).paths == ["other"])
    }

    @Test func anEntryThatGoesWholeIsSparedWhole() throws {
        var fixture = Fixture(areas: [
            Fixture.area("", .temporary, unit: .entry, retention: .zero)
        ])
        for name in ["kept", "gone"] {
            fixture.file("\(name)/a")
            fixture.directory(name, old)
        }
        let rule = try sparing("kept")
        #expect(plan(fixture, ["": rule], [.expired]).paths == ["gone"])
    }

    /// As it was before what was in it went: that it was emptied does not make it young.
    @Test(arguments: ["modified", "created", "old"])
    func anEmptiedDirectoryGoesByItsOwnAge(young: String) throws {
        var fixture = Fixture(areas: [Fixture.area("", .temporary, retention: .days(10))])
        for name in ["emptied/a", "b"] { fixture.file(name, unusedFor: .days(20)) }
        for name in ["emptied", "empty"] {
            fixture.directory(name) {
                old(&$0)
                if young == "modified" { $0.modified = UInt32(Fixture.now.seconds) }
                if young == "created" { $0.created = UInt32(Fixture.now.seconds) }
            }
        }
        let rule = try sparing(retention: .days(10))
        let plan = plan(fixture, ["": rule], [.expired])
        let directories: Set = young == "old" ? ["emptied", "empty"] : []
        #expect(Set(plan.paths) == directories.union(["emptied/a", "b"]))
    }

    @Test func whatLiesDirectlyInItStaysIfThatIsTheRule() throws {
        var fixture = Fixture(areas: [Fixture.area("", .temporary, retention: .zero)])
        for name in ["a", "d/b", "d/e/c"] { fixture.file(name) }
        for name in ["d", "d/e"] { fixture.directory(name, old) }
        let rule = try sparing(keepsFirstLevel: true)
        let plan = plan(fixture, ["": rule], [.expired])
        #expect(Set(plan.paths) == ["d/b", "d/e/c", "d/e"])
    }

    /// An area in it has a contract of its own, whatever lies around it.
    @Test func whatIsSparedEndsAtAnAreaInIt() throws {
        var fixture = Fixture(areas: [
            Fixture.area("", .temporary, retention: .zero),
            Fixture.area("kept/inner", .temporary, retention: .zero),
        ])
        for name in ["a", "inner/b", "inner/kept/c", "inner/spared/d"] {
            fixture.file("kept/\(name)")
        }
        let rule = try sparing("kept")
        // Its patterns are of its own path.
        let pattern = try #require(PathGlob(Array("\(Fixture.root)/kept/inner/spared".utf8)))
        let inner = EntryChoice.Rule.sparing(
            EntryExclusions(
                root: path("kept/inner"), keepsFirstLevel: false, retention: .zero,
                patterns: [pattern]))
        let plan = plan(fixture, ["": rule, "kept/inner": inner], [.expired])
        #expect(Set(plan.itemPaths) == ["kept/inner/b", "kept/inner/kept/c"])
    }
}
