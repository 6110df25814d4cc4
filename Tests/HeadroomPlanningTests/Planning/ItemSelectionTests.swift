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

@Suite("R30, R31: a plan of what a person has chosen")
struct ItemSelectionTests {
    private static let leftover = "\(ReservedName.prefix)1-2"

    private func paths(_ names: [String]) -> Set<FilePath> {
        Set(names.map { FilePath($0.isEmpty ? Fixture.root : "\(Fixture.root)/\($0)") })
    }

    private func plan(
        _ fixture: Fixture, _ chosen: [String], units: [String] = [],
        _ change: (inout ItemSelection) -> Void = { _ in }
    ) -> Plan {
        var request = PlanRequest(
            targets: [.all], through: .lastResort, now: Fixture.now, user: Fixture.user)
        var selection = ItemSelection(paths(chosen))
        selection.units = paths(units)
        change(&selection)
        request.selection = selection
        return Planner.plan(fixture.make(), request)
    }

    private func tree(_ areas: [Area] = [Fixture.area("", .cache)]) -> Fixture {
        var fixture = Fixture(areas: areas)
        for name in ["a", "d/a", "d/e/b", "d/e/f/c", "g/a", "g/e/b"] { fixture.file(name) }
        return fixture
    }

    @Test func aDirectoryGoesWithAllBelowAndNothingBeside() {
        let plan = plan(tree(), ["d"])
        #expect(Set(plan.itemPaths) == ["d/a", "d/e/b", "d/e/f/c"])
        #expect(Set(plan.paths).isSuperset(of: ["d", "d/e", "d/e/f"]))
        #expect(plan.kept(.notSelected) == 3)
    }

    @Test func aDirectoryBelowGoesAlone() {
        #expect(Set(plan(tree(), ["d/e"]).paths) == ["d/e/b", "d/e/f/c", "d/e/f", "d/e"])
    }

    @Test func aFileGoesAloneAndNotOthersOfItsName() {
        #expect(plan(tree(), ["d/a"]).paths == ["d/a"])
        #expect(plan(tree(), ["a"]).paths == ["a"])
        #expect(plan(tree(), ["d/nothing", "nothing/a"]).isEmpty)
    }

    @Test func whoChoosesAPlaceAroundAScanChoosesAllOfIt() {
        for around in [Fixture.root, "/"] {
            let plan = plan(tree(), []) { $0.paths = [FilePath(around)] }
            #expect(plan.itemPaths.count == 6)
        }
    }

    /// Where entries go whole anyway.
    @Test func ofEntriesOnlyThoseThatWereChosenGo() {
        let plan = plan(tree([Fixture.area("", .cache, unit: .entry)]), ["d"])
        #expect(plan.paths == ["d"])
        #expect(plan.kept(.notSelected) == 2)
    }

    @Test func looseFilesAreThoseDirectlyInADirectory() {
        let plan = plan(tree(), []) { $0.looseFiles = paths(["d", "nothing"]) }
        #expect(plan.itemPaths == ["d/a"])
    }

    @Test func whatAnInterruptedPurgeLeftGoesWhateverIsChosen() {
        var fixture = tree()
        fixture.directory(Self.leftover) { $0.isReserved = true }
        fixture.file("\(Self.leftover)/x")
        #expect(Set(plan(fixture, ["a"]).paths) == ["a", Self.leftover])
    }

    // MARK: Directories that are left empty

    @Test func aDirectoryThatIsEmptiedStaysAndThoseInItGo() {
        let plan = plan(tree(), ["d"]) { $0.emptied = paths(["d"]) }
        #expect(Set(plan.paths) == ["d/a", "d/e/b", "d/e/f/c", "d/e/f", "d/e"])
        let both = self.plan(tree(), ["d"]) { $0.emptied = paths(["d", "d/e"]) }
        #expect(Set(both.paths) == ["d/a", "d/e/b", "d/e/f/c", "d/e/f"])
    }

    /// The last thing in it was chosen, and it was not.
    @Test func directoriesAroundStayIfThatIsAskedFor() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("d/e/b")
        #expect(Set(plan(fixture, ["d/e/b"]).paths) == ["d/e/b", "d/e", "d"])
        #expect(plan(fixture, ["d/e/b"]) { $0.keepsOthers = true }.paths == ["d/e/b"])
        let whole = plan(fixture, ["d/e"]) { $0.keepsOthers = true }
        #expect(whole.paths == ["d/e/b", "d/e"])
    }

    @Test func whatWasEmptyBeforeGoesOnlyIfItWasChosen() {
        var fixture = tree()
        for name in ["d/empty", "g/empty"] { fixture.directory(name) }
        let plan = plan(fixture, ["d"])
        #expect(plan.paths.contains("d/empty"))
        #expect(!plan.paths.contains("g/empty"))
    }

    // MARK: Directories that go whole

    @Test func aUnitGoesWholeAndWhatIsBesideItByItems() {
        let plan = plan(tree(), ["d/e", "g"], units: ["d/e"])
        #expect(Set(plan.itemPaths) == ["d/e", "g/a", "g/e/b"])
        #expect(plan.count { $0.unit == .directory } == 1)
        // Nothing of it is counted twice.
        #expect(plan.frees == ByteCount(4 * 4096))
    }

    /// Of another name, or elsewhere.
    @Test func nothingElseBecomesAUnit() {
        for unit in ["e", "nothing", "nothing/e", ""] {
            let plan = plan(tree(), ["d", "g"], units: [unit])
            #expect(plan.allSatisfy { $0.unit != .directory }, "\(unit)")
            #expect(plan.itemPaths.count == 5)
        }
        #expect(plan(tree(), [""], units: [""]).allSatisfy { $0.unit != .directory })
    }

    /// It is registered: it is emptied by its own rules, and stays.
    @Test func theRootOfAnAreaIsNoUnit() {
        let areas = [Fixture.area("", .cache), Fixture.area("d/e", .temporary)]
        let plan = plan(tree(areas), ["d/e"], units: ["d/e"])
        #expect(Set(plan.paths) == ["d/e/b", "d/e/f/c", "d/e/f"])
    }

    /// A mark further down is nearer than what is around, and holds for what it was put on.
    @Test func whatIsEssentialIsNoUnitAndAMarkInItHolds() {
        var fixture = tree([Fixture.area("", .essential)])
        fixture.directory("d/e/f") { $0.mark = Mark(purgeClass: .cache) }
        #expect(Set(plan(fixture, ["d/e"], units: ["d/e"]).itemPaths) == ["d/e/f/c"])
    }

    @Test(arguments: ["file", "directory"])
    func ofADirectoryThatAllShareNoUnitWithOthersThingsGoes(what: String) {
        var fixture = tree()
        fixture.directory("d") { $0.isSticky = true }
        if what == "file" {
            fixture.file("d/e/f/theirs") { $0.isForeign = true }
        } else {
            fixture.directory("d/e/f") { $0.owner = 7 }
        }
        let plan = plan(fixture, ["d/e"], units: ["d/e"])
        #expect(plan.isEmpty)
        #expect(plan.kept(.foreignOwner) == 1)
    }

    /// What lies in another's directory is theirs to decide about, also if it is one's own.
    @Test func inAnothersDirectoryOfASharedOneNoUnitGoesWithTheirThings() {
        var fixture = tree()
        fixture.directory("") { $0.isSticky = true }
        fixture.directory("d") { $0.owner = 7 }
        fixture.file("d/e/theirs") { $0.isForeign = true }
        let plan = plan(fixture, ["d/e"], units: ["d/e"])
        #expect(plan.isEmpty)
        #expect(plan.kept(.foreignOwner) == 2)
    }

    @Test func onePinnedMemberKeepsTheUnit() {
        var fixture = tree()
        fixture.file("d/e/f/pinned") { $0.mark = Mark(isPinned: true) }
        let plan = plan(fixture, ["d"], units: ["d/e"])
        #expect(plan.itemPaths == ["d/a"])
        #expect(plan.kept(.pinned) == 1)
    }
}
