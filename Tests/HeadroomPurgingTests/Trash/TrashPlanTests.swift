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

@Suite("R33: what goes from the trash")
struct TrashPlanTests {
    private static let day = Duration.seconds(86_400)

    @Test(.tags(.r15a)) func hasPlacesOfItsOwnInTheOrder() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/tmp/temporary", size: .kilobytes(10))
        try fixture.tree.file("home/.cache/cached", size: .kilobytes(10))
        for name in ["old", "young", "saved"] {
            try fixture.tree.file(
                TreePath(stringLiteral: "home/Documents/" + name), size: .kilobytes(10))
        }
        try fixture.workspace().mark(fixture.path("Documents/saved")) {
            $0.purgeClass = .lastResort
        }
        fixture.put("Documents/old")
        fixture.put("Documents/young", after: Self.day * 29)
        let plan = try fixture.plan([.all], through: .lastResort, after: Self.day * 31)
        #expect(plan.names == ["temporary", "old", "cached", "young", "saved"])
        let classes = plan.filter { $0.unit == .file }.map(\.purgeClass)
        #expect(classes == [.temporary, .trash, .cache, .trash, .lastResort])
        #expect(plan.summary().classes.map(\.purgeClass).contains(.trash))
    }

    #if os(Linux)
    /// A mount may show a person's own directory where the trash is.
    @Test(.tags(.s11b), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func documentsThatAreMountedThereAreNoTrash() throws {
        let fixture = try TrashFixture()
        for name in ["Documents/files/thesis", "Documents/info/thesis.trashinfo"] {
            try fixture.tree.file(TreePath(stringLiteral: "home/\(name)"), size: .kilobytes(10))
        }
        try fixture.tree.directory(fixture.trash)
        let mount = try MountedImage.bind(
            fixture.path("Documents"), at: fixture.tree.path(fixture.trash))
        defer { withExtendedLifetime(mount) {} }
        let workspace = fixture.workspace(after: Self.day * 40)
        let (plan, scope) = try workspace.planEmptyingTrash()
        #expect(plan.isEmpty)
        #expect(scope.notes.contains { $0.text.contains("is no trash") }, "\(scope.notes)")
        #expect(try fixture.plan([.all], through: .lastResort, after: Self.day * 40).names.isEmpty)
    }
    #endif

    @Test(.tags(.r15b, .r16d)) func youngTrashNeverGoesByItself() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/a", size: .kilobytes(10))
        try fixture.tree.file("home/Documents/b", size: .kilobytes(10))
        fixture.put("Documents/dir", "Documents/b")
        let targets: [Target] = [.all, .free(.gigabytes(1)), .expired]
        for target in targets {
            let plan = try fixture.plan([target], through: .lastResort, after: .seconds(86_000))
            #expect(plan.names.isEmpty, "\(target.description)")
            #expect(plan.kept.byReason[.freshTrash]?.count == 2)
        }
        // Older than a day it goes, as the last resort; older than thirty as caches do.
        #expect(try fixture.plan([.all], through: .cache, after: Self.day * 2).names.isEmpty)
        #expect(
            try fixture.plan([.all], through: .lastResort, after: Self.day * 2).names.count == 2)
        #expect(
            try fixture.plan([.expired], through: .lastResort, after: Self.day * 2).names.isEmpty)
        #expect(
            try fixture.plan([.expired], through: .cache, after: Self.day * 31).names.count == 2)
        #expect(try fixture.plan([.all], through: .temporary, after: Self.day * 31).names.isEmpty)
    }

    @Test(.tags(.r33e)) func agesFromItsDeletionWhateverTheFilesSay() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        try fixture.tree.age("home/Documents/a", by: Self.day * 400)
        fixture.put("Documents/a")
        let age = Target.olderThan(Self.day * 100, by: .modified)
        #expect(
            try fixture.plan([.expired, age], through: .lastResort, after: Self.day).names.isEmpty)
        #expect(!(try fixture.plan([.expired], through: .cache, after: Self.day * 30)).isEmpty)
    }

    /// The date is local time without a zone, and any program's word.
    @Test(.tags(.r33e), arguments: ["1970-01-01T00:00:00", "2020-02-29T12:00:00"])
    func aNoteMakesNothingOlderThanTheFileSystemSays(date: String) throws {
        let fixture = try TrashFixture()
        try fixture.putWithNote(of: date)
        for target in [Target.all, .expired] {
            let plan = try fixture.plan([target], through: .lastResort, after: .seconds(80_000))
            #expect(plan.names.isEmpty, "\(target.description)")
        }
        let item = try #require(fixture.workspace().trash.list().items.first)
        #expect(item.isDateKnown && item.deleted < item.agesFrom)
        #expect(item.expires > Timestamp.now().advanced(by: Self.day * 29))
        #expect(try fixture.plan([.expired], through: .cache, after: Self.day * 31).names == ["a"])
    }

    /// By a clock that was wrong: it would stay until the clock is there.
    @Test(.tags(.r33e)) func aChangeThatIsDaysAheadKeepsNothing() throws {
        let fixture = try TrashFixture()
        try fixture.putWithNote(of: "2020-02-29T12:00:00")
        #expect(
            try fixture.plan([.expired], through: .cache, after: Self.day * -40).names == ["a"])
        // Clocks are off by less.
        #expect(
            try fixture.plan([.expired], through: .cache, after: .seconds(-3600)).names.isEmpty)
    }

    @Test func aMarkInTheTrashGivesNoOtherClassAndAPinKeeps() throws {
        let fixture = try TrashFixture()
        for name in ["cached", "kept"] {
            try fixture.tree.file(
                TreePath(stringLiteral: "home/Documents/" + name), size: .kilobytes(10))
        }
        let workspace = fixture.workspace()
        try workspace.marks.update(fixture.path("Documents/cached")) { $0.purgeClass = .cache }
        fixture.put("Documents/cached", "Documents/kept")
        let trash = fixture.home.appending(".local/share/Trash/files/kept")
        try workspace.marks.update(trash) { $0.isPinned = true }
        #expect(try fixture.plan([.all], through: .cache, after: Self.day * 2).names.isEmpty)
        let scope = fixture.workspace(after: Self.day * 31).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        #expect(plan.names == ["cached"])
        #expect(try scope.purge(plan, requester: "test").removedCount == 1)
    }

    @Test func itemsGoWithWhatIsWrittenAboutThem() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/a", size: .kilobytes(10))
        try fixture.tree.file("home/Documents/b", size: .kilobytes(10))
        try fixture.tree.file("home/Documents/c.sqlite", size: .kilobytes(100))
        fixture.put("Documents/dir", "Documents/b", "Documents/c.sqlite")
        let scope = fixture.workspace(after: Self.day * 31).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.removedCount == 3)
        #expect(receipt.perClass.map(\.name) == ["trash"])
        #expect(try fixture.tree.names(in: fixture.trash / "files").isEmpty)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test(arguments: [1, 3])
    func manyItemsGoWithWhatIsWrittenAboutThem(threads: Int) throws {
        let fixture = try TrashFixture()
        // More than are worth a thread.
        for number in 0..<1_100 {
            let name = "item-\(number)"
            try fixture.tree.file(fixture.trash / "files/\(name)", size: ByteCount(100))
            try fixture.tree.file(
                fixture.trash / "info/\(name).trashinfo",
                text: "[Trash Info]\nPath=/somewhere/\(name)\nDeletionDate=2020-01-01T00:00:00\n")
            try fixture.tree.file("home/.cache/\(name)", size: ByteCount(100))
        }
        let workspace = fixture.workspace(after: Self.day * 31)
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        var options = PurgeOptions(
            requester: "test", areas: scope.areas, clock: { Timestamp.now() })
        options.threads = threads
        #expect(try Purger.purge(plan, options: options).removedCount == 2_200)
        #expect(try fixture.tree.names(in: fixture.trash / "files").isEmpty)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test func whatStaysKeepsItsNote() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        try fixture.tree.file("home/Documents/b", size: .kilobytes(10))
        fixture.put("Documents/a", "Documents/b")
        let scope = fixture.workspace(after: Self.day * 31).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        try fixture.tree.file(fixture.trash / "files/a", text: "written since")
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.removedCount == 1)
        #expect(receipt.skipped.map(\.reason.code) == [.changed])
        let names = try fixture.tree.names(in: fixture.trash / "info").map(\.text)
        #expect(names == ["a.trashinfo"])
    }

    @Test func aPersonEmptiesAllOfItOrSome() throws {
        let fixture = try TrashFixture()
        for name in ["a", "b", "c"] {
            try fixture.tree.file(
                TreePath(stringLiteral: "home/Documents/" + name), size: .kilobytes(10))
        }
        try fixture.tree.file("home/.cache/app/cached", size: .kilobytes(10))
        fixture.put("Documents/a", "Documents/b", "Documents/c")
        let workspace = fixture.workspace()
        let items = workspace.trash.list().items.filter { $0.name.text != "c" }
        var (plan, scope) = try workspace.planEmptyingTrash(items)
        #expect(Set(plan.names) == ["a", "b"])
        #expect(try scope.purge(plan, requester: "test").removedCount == 2)
        (plan, scope) = try workspace.planEmptyingTrash(olderThan: .seconds(3600))
        #expect(plan.isEmpty)
        (plan, scope) = try workspace.planEmptyingTrash()
        #expect(try scope.purge(plan, requester: "test").removedCount == 1)
        #expect(fixture.exists(".cache/app/cached"))
    }

    @Test func aSavedPlanIsOfTrashStill() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        fixture.put("Documents/a")
        let scope = fixture.workspace(after: Self.day * 31).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        let file = fixture.directory.path.appending("plan")
        try SavedPlan.save(plan, to: file)
        let text = String(decoding: try fixture.tree.contents(of: "plan"), as: UTF8.self)
        #expect(text.contains("\"class\":\"trash\""))
        let loaded = try SavedPlan.load(file)
        #expect(loaded.map(\.purgeClass) == [.trash])
        #expect(try scope.purge(loaded, requester: "test").removedCount == 1)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test func explainSaysThatItIsTrash() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        fixture.put("Documents/a")
        func explanation(after time: Duration) throws -> Explanation {
            let scope = fixture.workspace(after: time).scope()
            let request = try scope.request(targets: [], through: .lastResort)
            return Explainer(try scope.scan(), request).explain(
                fixture.home.appending(".local/share/Trash/files/a"))
        }
        let young = try explanation(after: .zero)
        #expect(young.className == "trash")
        guard case .never(let reason) = young.outlook else { Issue.record("it goes"); return }
        #expect(reason.code == .freshTrash)
        let older = try explanation(after: Self.day * 2)
        #expect(older.summary.hasPrefix("trash, 1st of 1"), "\(older.summary)")
        #expect(try explanation(after: Self.day * 31).outlook == .expired)
    }
}

extension TrashFixture {
    /// Throws a file `a` away, of which is written then that it was at another time.
    fileprivate func putWithNote(of date: String) throws {
        try tree.file("home/Documents/a", size: .kilobytes(10))
        put("Documents/a")
        try tree.file(
            trash / "info/a.trashinfo",
            text: "[Trash Info]\nPath=\(path("Documents/a").string)\nDeletionDate=\(date)\n")
    }
}
