//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("R31: choose and clean")
struct CleanerTests {
    private let fixture: TrashFixture

    init() throws {
        fixture = try TrashFixture()
        let tree = fixture.tree
        try tree.file("home/.cache/app/one", size: .kilobytes(300))
        try tree.file("home/.cache/other/two", size: .kilobytes(200))
        try tree.file("home/.cache/loose", size: .kilobytes(150))
        try tree.file("home/tmp/temporary", size: .kilobytes(50))
        try tree.file("home/Downloads/archive.zip", size: .kilobytes(500))
        try tree.file("home/Downloads/tool/bin/a.out", size: .kilobytes(250))
        try tree.file("home/Videos/film.mkv", size: .kilobytes(900))
        // By what it holds, not by its name.
        try tree.file(
            "home/Documents/scan.dat",
            contents: Array("%PDF-1.7\n".utf8) + Array(repeating: 7, count: 200_000))
        try tree.file("home/Documents/small.pdf", size: .kilobytes(10))
        try tree.file("home/.hidden/film.mkv", size: .kilobytes(900))
        try tree.file("home/Documents/old.txt", size: .kilobytes(120))
        fixture.put("Documents/old.txt")
    }

    private func survey(_ cleaner: Cleaner) throws -> [CleaningSection: CleaningUpdate] {
        var sections: [CleaningSection: CleaningUpdate] = [:]
        try cleaner.survey { sections[$0.section] = $0 }
        return sections
    }

    private func names(_ update: CleaningUpdate?) -> [String] { update?.items.map(\.name) ?? [] }

    @Test func sectionsComeAtOnceAndFillIn() throws {
        var updates: [CleaningUpdate] = []
        try Cleaner(fixture.workspace()).survey { updates.append($0) }
        let first = updates.prefix(CleaningSection.all.count - 1)
        #expect(first.allSatisfy { $0.items.isEmpty && !$0.isComplete })
        #expect(first.map(\.section) == CleaningSection.all.filter { $0 != .moduleCaches })
        let last = Dictionary(updates.map { ($0.section, $0) }) { $1 }
        #expect(!last.values.contains { !$0.isComplete })
    }

    @Test func whatIsKnownSoonDoesNotWaitForTheRest() throws {
        var updates: [CleaningUpdate] = []
        // A link into a directory that is looked through later must not change what was found.
        try fixture.tree.hardLink("home/tmp/linked", to: "home/.cache/app/one")
        try Cleaner(fixture.workspace()).survey { updates.append($0) }
        let caches = updates.filter { $0.section == .systemCaches }
        let end = try #require(caches.last)
        // One directory of caches after the other.
        let early = try #require(caches.first { !$0.items.isEmpty })
        #expect(!early.isComplete)
        #expect(early.items.count < end.items.count)
        #expect(Set(early.items.map(\.id)).isSubset(of: end.items.map(\.id)))
        let order = updates.filter { !$0.items.isEmpty }.map(\.section)
        let first = try #require(order.firstIndex(of: .systemCaches))
        for section in [CleaningSection.trash, .downloads] {
            #expect(try #require(order.firstIndex(of: section)) < first)
        }
        let alone = try survey(Cleaner(fixture.workspace()))
        #expect(alone[.systemCaches] == end)
    }

    @Test func aPreviewWaitsForTheSurveyThatIsUnderWay() throws {
        let cleaner = Cleaner(fixture.workspace())
        let preview = Mutex<CleaningPreview?>(nil)
        var asking: WorkerThread?
        var chosen: CleaningSelection?
        try cleaner.survey { update in
            guard asking == nil, update.section == .systemCaches, let first = update.items.first
            else { return }
            let selection = CleaningSelection([first])
            chosen = selection
            asking = try? WorkerThread {
                let found = try? cleaner.preview(selection)
                preview.withLock { $0 = found }
            }
            // It has all the time that looking for itself would take.
            usleep(50_000)
            #expect(preview.withLock { $0 } == nil)
        }
        try #require(asking).join()
        let found = try #require(preview.withLock { $0 })
        #expect(found == (try cleaner.preview(try #require(chosen))))
        #expect(found.purgedItems == 1)
    }

    @Test func aSurveyThatWasStoppedAnswersNoPreview() throws {
        let cleaner = Cleaner(fixture.workspace())
        let all = try #require(try survey(Cleaner(fixture.workspace()))[.systemCaches]).items
        let progress = ScanProgress()
        progress.cancel()
        try cleaner.survey(progress: progress) { _ in }
        #expect(try cleaner.preview(CleaningSelection(all)).purgedItems == 4)
    }

    /// Of what was thrown away two days ago a plan of all has something, and it is no cache.
    @Test(.tags(.r31a), arguments: [0, 2])
    func everythingIsInItsSection(days: Int) throws {
        let sections = try survey(Cleaner(fixture.workspace(after: .seconds(days * 86_400))))
        #expect(
            names(sections[.systemCaches])
                == ["app", "other", "Files directly in it", "Files directly in it"])
        #expect(names(sections[.downloads]) == ["archive.zip", "tool"])
        #expect(names(sections[.userFiles(.video)]) == ["film.mkv"])
        #expect(names(sections[.userFiles(.pdf)]) == ["scan.dat"])
        #expect(names(sections[.trash]) == ["old.txt"])
        #expect(sections[.trash]?.items.first?.note == fixture.path("Documents").string)
    }

    @Test func registeredDirectoriesHaveTheirOwn() throws {
        let workspace = fixture.workspace()
        try workspace.ledger.register(
            Area(root: fixture.path(".cache/other"), purgeClass: .cache, origin: "by Podcaster"))
        let sections = try survey(Cleaner(workspace))
        #expect(names(sections[.purgeableDirectories]) == ["other"])
        #expect(!names(sections[.systemCaches]).contains("other"))
    }

    @Test(.tags(.r31b)) func onlyWhatWasChosenGoes() throws {
        let cleaner = Cleaner(fixture.workspace())
        let sections = try survey(cleaner)
        let caches = try #require(sections[.systemCaches]).items
        let chosen =
            caches.filter { $0.name == "app" || $0.path == fixture.path(".cache") }
            + (sections[.userFiles(.video)]?.items ?? [])
        let selection = CleaningSelection(chosen)
        let preview = try cleaner.preview(selection)
        #expect(preview.purgedItems == 2)
        #expect(preview.freesNow >= .kilobytes(450))
        #expect(preview.disposedItems == 1)
        #expect(preview.freesLater >= .kilobytes(900))
        let result = try cleaner.clean(selection, requester: "test")
        #expect(result.freed == preview.freesNow)
        #expect(result.skipped == [])
        for name in [".cache/app/one", ".cache/loose", "Videos/film.mkv"] {
            #expect(!fixture.exists(name), "\(name)")
        }
        for name in [".cache/other/two", "tmp/temporary", "Downloads/archive.zip"] {
            #expect(fixture.exists(name), "\(name)")
        }
        let back = try cleaner.undo(result, requester: "test")
        #expect(back.removedCount == 1)
        #expect(fixture.exists("Videos/film.mkv"))
        #expect(throws: HeadroomError.self) { try cleaner.undo(result, requester: "test") }
    }

    @Test(.tags(.r45d)) func linksInsideAndOutsideOfTheChoiceAreCountedRight() throws {
        try fixture.tree.hardLink("home/.cache/other/linked", to: "home/.cache/app/one")
        let cleaner = Cleaner(fixture.workspace())
        let caches = try #require(try survey(cleaner)[.systemCaches]).items
        let one = caches.filter { $0.name == "app" }
        let both = caches.filter { $0.name == "app" || $0.name == "other" }
        #expect(try cleaner.preview(CleaningSelection(one)).freesNow < .kilobytes(100))
        let all = try cleaner.preview(CleaningSelection(both)).freesNow
        #expect(all >= .kilobytes(500) && all < .kilobytes(700))
    }

    @Test(
        "Leaves out downloads and files whose deletion frees nothing, and counts only what is freed",
        .tags(.r45d)
    )
    func leavesOutWhatFreesNothing() throws {
        try fixture.tree.file("home/Downloads/linked.iso", size: .kilobytes(300))
        try fixture.tree.hardLink("home/Videos/again.mkv", to: "home/Downloads/linked.iso")
        try fixture.tree.file("home/Downloads/part/own", size: .kilobytes(300))
        try fixture.tree.hardLink("home/Downloads/part/shared", to: "home/Downloads/linked.iso")
        let sections = try survey(Cleaner(fixture.workspace()))
        let downloads = try #require(sections[.downloads]).items
        #expect(!downloads.contains { $0.name == "linked.iso" })
        let part = try #require(downloads.first { $0.name == "part" })
        let freed = try #require(part.allocated)
        #expect(freed >= .kilobytes(300) && freed < .kilobytes(400))
        #expect(!names(sections[.userFiles(.video)]).contains("again.mkv"))
    }

    @Test func youngTrashGoesIfItIsChosen() throws {
        let cleaner = Cleaner(fixture.workspace())
        let trash = try #require(try survey(cleaner)[.trash]).items
        let result = try cleaner.clean(CleaningSelection(trash), requester: "test")
        #expect(result.purge?.removedCount == 1)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test(.tags(.s1c)) func deepIsEverythingThatCanBeMadeAgain() throws {
        try fixture.tree.file("home/Podcasts/episode", size: .kilobytes(100))
        try fixture.workspace().mark(fixture.path("Podcasts/episode")) {
            $0.purgeClass = .lastResort
        }
        let cleaner = Cleaner(fixture.workspace())
        let result = try cleaner.clean(.deep, requester: "test")
        #expect(result.purge?.removedCount == 5)
        #expect(result.disposal == nil)
        #expect(!fixture.exists("Podcasts/episode"))
        #expect(fixture.exists("Videos/film.mkv") && fixture.exists("Downloads/archive.zip"))
        #expect(try fixture.tree.names(in: fixture.trash / "files").count == 1)
    }

    /// A day after it was thrown away it could go by itself for want of room; this is no want of room.
    @Test(.tags(.r31c)) func deepLeavesOlderTrash() throws {
        let cleaner = Cleaner(fixture.workspace(after: .seconds(2 * 86_400)))
        let result = try cleaner.clean(.deep, requester: "test")
        #expect(result.purge?.removedCount == 4)
        #expect(!fixture.exists(".cache/app/one"))
        #expect(try fixture.tree.names(in: fixture.trash / "files").count == 1)
        #expect(try fixture.tree.names(in: fixture.trash / "info").count == 1)
    }

    @Test func deepTakesOfTheTrashWhatIsChosenWithIt() throws {
        let cleaner = Cleaner(fixture.workspace())
        var selection = CleaningSelection.deep
        selection.items = try #require(try survey(cleaner)[.trash]).items
        _ = try cleaner.clean(selection, requester: "test")
        #expect(try fixture.tree.names(in: fixture.trash / "files").isEmpty)
        #expect(!fixture.exists(".cache/app/one"))
        #expect(fixture.exists("Videos/film.mkv"))
    }

    /// What somebody has scanned is not scanned again, and a plan of it has what was chosen alone.
    @Test func surveysWhatWasSeenAlready() throws {
        let workspace = fixture.workspace()
        let scope = workspace.scope()
        let inventory = try scope.scan()
        try fixture.tree.file("home/.cache/late/one", size: .kilobytes(100))
        var sections: [CleaningSection: CleaningUpdate] = [:]
        try Cleaner(workspace).survey(of: (scope: scope, inventory: inventory)) {
            sections[$0.section] = $0
        }
        let caches = try #require(sections[.systemCaches])
        #expect(names(caches).contains("app") && !names(caches).contains("late"))
        let chosen = CleaningSelection(caches.items.filter { $0.name == "app" })
        let plan = try Cleaner.plan(chosen, in: scope, inventory)
        #expect(plan.summary().items == 1)
        #expect(plan.allSatisfy { $0.path.starts(with: fixture.path(".cache/app")) })
    }

    @Test func nothingChosenIsNothingDone() throws {
        let cleaner = Cleaner(fixture.workspace())
        let result = try cleaner.clean(CleaningSelection([]), requester: "test")
        #expect(result.purge == nil && result.disposal == nil)
        #expect(fixture.exists(".cache/app/one"))
    }

    @Test func progressNeverGoesBackAndEndsWithOne() throws {
        try fixture.tree.files(3_000, in: "home/.cache/many", size: .kilobytes(1))
        let cleaner = Cleaner(fixture.workspace())
        let chosen = try #require(try survey(cleaner)[.systemCaches]).items
        let progress = CleaningProgress()
        let seen = Mutex<[Double]>([])
        let isDone = Atomic<Bool>(false)
        let watch = try WorkerThread {
            while !isDone.load(ordering: .relaxed) {
                seen.withLock { $0.append(progress.fraction) }
            }
        }
        _ = try cleaner.clean(CleaningSelection(chosen), requester: "test", progress: progress)
        isDone.store(true, ordering: .relaxed)
        watch.join()
        let fractions = seen.withLock { $0 }
        #expect(fractions == fractions.sorted())
        #expect(fractions.dropLast().filter { $0 == 1 }.count <= 1 || fractions.last == 1)
        #expect(progress.phase == .done && progress.fraction == 1)
    }

    @Test func whatIsCancelledBeforeItBeginsChangesNothing() throws {
        let cleaner = Cleaner(fixture.workspace())
        let progress = CleaningProgress()
        progress.cancel()
        let result = try cleaner.clean(.deep, requester: "test", progress: progress)
        #expect(result.isCancelled)
        #expect(fixture.exists(".cache/app/one"))
    }
}
