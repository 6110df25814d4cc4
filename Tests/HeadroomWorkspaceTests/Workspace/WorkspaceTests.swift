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

/// The whole pipeline over a home of its own.
struct WorkspaceTests {
    /// A home with a cache, documents and downloaded content.
    private struct Home {
        let directory: TemporaryDirectory
        var path: FilePath { directory.path }
        var tree: Tree { directory.tree }

        init() throws {
            directory = try TemporaryDirectory(on: .disk)
            for name in [".cache/app", "Documents", "Podcasts/offline"] {
                var path = TreePath()
                for component in name.split(separator: "/") {
                    path = path / TreePath(String(component))
                    if !tree.exists(path) { try tree.directory(path) }
                }
            }
            try tree.file(".cache/app/one", size: .kilobytes(100))
            try tree.file(".cache/app/two", size: .kilobytes(200))
            try tree.file("Documents/letter", size: .kilobytes(50))
            try tree.file("Podcasts/offline/episode", size: .kilobytes(300))
        }

        func open() -> Workspace {
            Workspace.open(
                environment: ["TMPDIR": path.appending("tmp").string], home: path,
                ledgerDirectory: path.appending("state"), minIdle: .none, clock: Timestamp.now)
        }

        func exists(_ name: TreePath) -> Bool { tree.exists(name) }
    }

    @Test func purgesTheCacheAndNothingElse() throws {
        let home = try Home()
        let scope = home.open().scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.outcome == .completed)
        #expect(receipt.skipped == [])
        #expect(!home.exists(".cache/app/one"))
        #expect(home.exists(".cache"))
        #expect(home.exists("Documents/letter"))
        #expect(home.exists("Podcasts/offline/episode"))
    }

    @Test(
        "The directory of an app in ~/.cache is purged file by file if the app has registered one in it",
        arguments: [false, true])
    func directoriesOfApps(isRegistered: Bool) throws {
        let home = try Home()
        for name in ["maps/tile", "thumbs/a", "thumbs/b"] {
            try home.tree.file(TreePath(".cache/Podcaster/" + name), size: .kilobytes(20))
        }
        let ledger = Ledger.open(directory: home.path.appending("state"))
        if isRegistered {
            try ledger.register(
                Registration(
                    Area(
                        root: home.path.appending(".cache/Podcaster/maps"), purgeClass: .cache,
                        origin: "Podcaster"),
                    owner: "Podcaster"))
        }
        let scope = home.open().scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        let cache = home.path.appending(".cache")
        let planned = Set(
            plan.filter { $0.unit != .emptyDirectory }.map { entry in
                var path = entry.path
                _ = path.removePrefix(cache)
                return path.string
            })
        // Unknown content is purged whole.
        let own: Set<String> =
            isRegistered
            ? ["Podcaster/maps/tile", "Podcaster/thumbs/a", "Podcaster/thumbs/b"] : ["Podcaster"]
        #expect(planned == own.union(["app"]))
    }

    /// As in a home that was restored: what a plan that names it would delete is not called essential.
    @Test(.tags(.r18a)) func explainsAMarkThatNoRecordLeadsTo() throws {
        let home = try Home()
        let offline = home.path.appending("Podcasts/offline")
        let episode = offline.appending("episode")
        try home.open().mark(offline) { $0.purgeClass = .cache }
        try home.tree.remove("state")
        let workspace = home.open()
        let scope = workspace.scope()
        let explainer = Explainer(
            try scope.scan(), try scope.request(targets: [.all], through: .lastResort))
        #expect(explainer.explain(episode).purgeClass == .essential)
        let explanation = try workspace.recheckingMarks(of: explainer.explain(episode))
        #expect(explanation.purgeClass == .cache && explanation.classOrigin == .mark)
        #expect(explanation.outlook == .pressure(.warning))
        #expect(explanation.isUnrecorded && explanation.summary.contains("is not recorded"))
        let named = try workspace.scope(paths: [offline], as: nil)
        let plan = try named.plan(try named.scan(), targets: [.all])
        #expect(plan.contains { $0.path == episode })
        let letter = home.path.appending("Documents/letter")
        let kept = try workspace.recheckingMarks(of: explainer.explain(letter))
        #expect(kept.purgeClass == .essential && !kept.isUnrecorded)
    }

    @Test func aClassMarkThatGotOntoAHomeMakesNothingInItPurgeable() throws {
        let home = try Home()
        let workspace = home.open()
        try workspace.mark(home.path.appending("Podcasts/offline/episode")) {
            $0.purgeClass = .lastResort
        }
        // Past the check: as if the attribute had been copied onto it.
        try workspace.marks.update(home.path) { $0.purgeClass = .cache }
        try workspace.marks.update(home.path.appending("Documents")) { $0.purgeClass = .cache }
        #expect(
            try workspace.effectiveMark(of: home.path.appending("Documents/letter")).purgeClass
                == nil)
        #expect(!workspace.scope().roots.contains { $0.path == home.path })
        #expect(throws: HeadroomError.self) {
            try workspace.scope(paths: [home.path.appending("Documents")], as: nil)
        }
        for scope in [
            workspace.scope(), try workspace.scope(paths: [home.path], as: nil),
        ] {
            let plan = try scope.plan(
                try scope.scan(), targets: [.all], through: .lastResort)
            let receipt = try scope.purge(plan, requester: "test")
            #expect(!receipt.removed.contains { $0.path.string.contains("letter") })
            #expect(home.exists("Documents/letter"))
        }
    }

    /// A scan and a purge have to agree on what a mark is worth where areas meet.
    @Test func whatIsMarkedInAnEssentialPlaceGoesThoughThePlaceBearsAClassToo() throws {
        let home = try Home()
        let workspace = home.open()
        for name in ["Podcasts/offline/episode", "Documents/letter"] {
            try workspace.mark(home.path.appending(name)) { $0.purgeClass = .lastResort }
        }
        // Past the check: as if the attribute had been copied onto them.
        for place in [home.path, home.path.appending("Documents")] {
            try workspace.marks.update(place) { $0.purgeClass = .cache }
        }
        try home.tree.file("Documents/diary", size: .kilobytes(50))
        let scope = try workspace.scope(paths: [home.path], as: nil)
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.skipped == [])
        #expect(!home.exists("Podcasts/offline/episode"))
        #expect(!home.exists("Documents/letter"))
        #expect(home.exists("Documents/diary"))
    }

    @Test func anAreaWithinAMarkedDirectoryGoesByItsOwnClass() throws {
        let home = try Home()
        let workspace = home.open()
        try home.tree.file(".cache/app/inner/three", size: .kilobytes(50))
        try workspace.mark(home.path.appending(".cache/app")) { $0.purgeClass = .lastResort }
        try workspace.ledger.register(
            Area(
                root: home.path.appending(".cache/app/inner"), purgeClass: .cache, origin: "test"))
        let scope = workspace.scope()
        let receipt = try scope.purge(
            try scope.plan(try scope.scan(), targets: [.all]), requester: "test")
        #expect(receipt.skipped == [])
        #expect(!home.exists(".cache/app/inner/three"))
        #expect(home.exists(".cache/app/one"), "a last resort")
        // And the class of the mark does not reach into it once it has gone stricter.
        try home.tree.file(".cache/app/inner/four", size: .kilobytes(50))
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        try workspace.marks.update(home.path.appending(".cache/app/inner")) {
            $0.purgeClass = .lastResort
        }
        _ = try scope.purge(plan, requester: "test")
        #expect(home.exists(".cache/app/inner/four"))
    }

    @Test(.tags(.r22b)) func keepsTheReceiptInTheLedger() throws {
        let home = try Home()
        let workspace = home.open()
        let scope = workspace.scope()
        let receipt = try scope.purge(
            try scope.plan(try scope.scan(), targets: [.all]), requester: "test")
        let kept = try #require(try home.open().ledger.receipt(receipt.id))
        #expect(kept.removedCount == receipt.removedCount)
        #expect(kept.expected == receipt.expected)
        #expect(kept.outcome == .completed)
    }

    @Test(arguments: [".", "Documents", "..", "/"])
    func whatMayNeverBeAnAreaGetsNoClass(_ place: String) throws {
        let home = try Home()
        let workspace = home.open()
        let path =
            switch place {
            case ".": home.path
            case "..": home.path.removingLastComponent()
            case "/": FilePath("/")
            default: home.path.appending(place)
            }
        for purgeClass in [PurgeableClass.cache, .lastResort] {
            let error = #expect(throws: HeadroomError.self) {
                try workspace.mark(path) { $0.purgeClass = purgeClass }
            }
            #expect(error?.code == .refused)
        }
        #expect(!workspace.allowsClassMark(on: path))
        #expect(try workspace.marks.mark(of: path).purgeClass == nil)
    }

    @Test func othersAreMarkedAndHomesMayBePinned() throws {
        let home = try Home()
        let workspace = home.open()
        try workspace.mark(home.path.appending("Podcasts")) { $0.purgeClass = .lastResort }
        try workspace.mark(home.path.appending("Documents/letter")) { $0.purgeClass = .cache }
        try workspace.mark(home.path) { $0.isPinned = true }
        #expect(
            try workspace.marks.mark(of: home.path.appending("Podcasts")).purgeClass == .lastResort)
        #expect(
            try workspace.marks.mark(of: home.path.appending("Documents/letter")).purgeClass
                == .cache)
        #expect(try workspace.marks.mark(of: home.path).isPinned == true)
    }

    @Test func markedContentGoesAsTheLastResortOnly() throws {
        let home = try Home()
        let workspace = home.open()
        try workspace.marks.update(home.path.appending("Podcasts/offline")) {
            $0.purgeClass = .lastResort
        }
        let scope = workspace.scope()
        let inventory = try scope.scan()
        let modest = try scope.plan(inventory, targets: [.all])
        #expect(!modest.contains { $0.purgeClass == .lastResort })
        let all = try scope.plan(inventory, targets: [.all], through: .lastResort)
        let classes = all.filter { $0.unit == .file }.map(\.purgeClass)
        #expect(classes == classes.sorted())
        _ = try scope.purge(all, requester: "test")
        #expect(!home.exists("Podcasts/offline/episode"))
        #expect(home.exists("Documents/letter"))
    }

    @Test func aPinnedFileStays() throws {
        let home = try Home()
        try home.tree.file(".cache/loose", size: .kilobytes(1))
        let workspace = home.open()
        try workspace.marks.update(home.path.appending(".cache/app/one")) { $0.isPinned = true }
        let scope = workspace.scope()
        _ = try scope.purge(
            try scope.plan(try scope.scan(), targets: [.all]), requester: "test")
        #expect(home.exists(".cache/app/one"))
        // A directory in a cache is purged whole or not at all.
        #expect(home.exists(".cache/app/two"))
        #expect(!home.exists(".cache/loose"))
    }

    @Test(.tags(.r9b)) func aFilePinnedAfterThePlanStays() throws {
        let home = try Home()
        let workspace = home.open()
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        try workspace.marks.update(home.path.appending(".cache/app/one")) { $0.isPinned = true }
        let receipt = try scope.purge(plan, requester: "test")
        #expect(home.exists(".cache/app/one"))
        #expect(receipt.skipped.map(\.path) == [home.path.appending(".cache/app")])
    }

    @Test func recordedUseCountsAsUse() throws {
        let home = try Home()
        try home.tree.file(".cache/one", size: .kilobytes(200))
        try home.tree.file(".cache/two", size: .kilobytes(100))
        try home.tree.remove(".cache/app")
        let workspace = home.open()
        let scope = workspace.scope()
        let later = Timestamp.now().advanced(by: .seconds(3600))
        let one = home.path.appending(".cache/one")
        let status = try home.tree.status(of: ".cache/one")
        let volume = try #require(try Volume.containing(one).figures)
        try workspace.ledger.recordUse(
            of: FileKey(status, fileSystemID: volume.fileSystemID), at: later)
        let plan = try scope.plan(try scope.scan(), targets: [.free(.kilobytes(1))])
        // Without the record the larger one is purged first only if both were used at once; with it the other must be.
        #expect(plan.map(\.path) == [home.path.appending(".cache/two")])
    }

    @Test(arguments: ["", "Documents", "/", "/usr", "does/not/exist", "Documents/letter"])
    func refusesWhatMayNotBeDeclared(name: String) throws {
        let home = try Home()
        let path = name.isEmpty || name.hasPrefix("/") ? FilePath(name) : home.path.appending(name)
        #expect(throws: HeadroomError.self) {
            _ = try home.open().scope(paths: [path], as: .cache)
        }
    }

    @Test func refusesAnEssentialPathWithoutADeclaration() throws {
        let home = try Home()
        let error = #expect(throws: HeadroomError.self) {
            _ = try home.open().scope(paths: [home.path.appending("Documents")], as: nil)
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("mark") == true)
    }

    @Test func aNamedPathOfTheCacheIsPlannedAlone() throws {
        let home = try Home()
        try home.tree.directory(".cache/other")
        try home.tree.file(".cache/other/three", size: .kilobytes(10))
        let scope = try home.open().scope(paths: [home.path.appending(".cache/other")], as: nil)
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        #expect(plan.map(\.path) == [home.path.appending(".cache/other/three")])
    }

    @Test(.tags(.s1b)) func aPlanForAnAreaThatIsEssentialNowIsRefused() throws {
        let home = try Home()
        let workspace = home.open()
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        try workspace.ledger.register(
            Area(root: home.path.appending(".cache"), purgeClass: .essential, origin: "test"))
        let later = workspace.scope()
        #expect(throws: HeadroomError.self) { _ = try later.purge(plan, requester: "test") }
        #expect(home.exists(".cache/app/one"))
    }
}
