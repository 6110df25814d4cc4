//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R31: an app's user chooses and cleans")
struct StorageCleaningTests {
    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    private final class Tiles: StorageModule {
        let id: String
        let size = Mutex(ByteCount.megabytes(3))
        init(_ id: String) { self.id = id }
        func usage() async throws -> ByteCount { size.withLock { $0 } }
        func clean(_ request: CleaningRequest) async throws { size.withLock { $0 = .zero } }
    }

    private func fill() async throws -> Storage {
        let storage = fixture.storage
        try await storage.save(Data(count: 300_000), as: .cache, named: "Thumbnails/a.png")
        try await storage.save(Data(count: 200_000), as: .lastResort, named: "maps/a.tile")
        try await storage.save(
            Data(count: 400_000), as: .essential(.userContent), named: "Trip/film.mp4")
        return storage
    }

    @Test func sectionsAreOfTheAppAlone() async throws {
        let storage = try await fill()
        try fixture.base.tree.file("home/.cache/Other/secret", size: .kilobytes(500))
        storage.register(Tiles("tiles"))
        var sections: [CleaningSection: CleaningUpdate] = [:]
        for await update in storage.cleanables() { sections[update.section] = update }
        #expect(sections.count == CleaningSection.all.count)
        #expect(!sections.values.contains { !$0.isComplete })
        #expect(Set(sections[.systemCaches]?.items.map(\.name) ?? []) == ["Thumbnails", "maps"])
        #expect(sections[.userFiles(.video)]?.items.map(\.name) == ["film.mp4"])
        #expect(sections[.moduleCaches]?.items.map(\.allocated) == [.megabytes(3)])
    }

    @Test("Downloads that a user selects are moved to the trash, and come back", .tags(.r31b))
    func downloadsAreMovedToTheTrash() async throws {
        let storage = fixture.storage
        try await storage.save(Data(count: 300_000), as: .cache, named: "Downloads/optional.zip")
        try await storage.save(Data(count: 300_000), as: .cache, named: "Thumbnails/a.png")
        for name in ["Downloads/requested.mp4", "Lectures/1.mp4", "Lectures/kept.mp4"] {
            try await storage.save(
                Data(count: 200_000), as: .essential(.appData), named: name)
        }
        let data = fixture.base.path.appending("home/.local/share/Podcaster")
        for name in ["Downloads/requested.mp4", "Lectures/1.mp4"] {
            try storage.mark(URL(filePath: data.appending(name).string), .lastResort)
        }
        var sections: [CleaningSection: CleaningUpdate] = [:]
        for await update in storage.cleanables() { sections[update.section] = update }
        #expect(sections[.systemCaches]?.items.map(\.name) == ["Thumbnails"])
        let downloads = try #require(sections[.downloads]?.items)
        #expect(downloads.map(\.name).sorted() == ["Lectures", "optional.zip", "requested.mp4"])
        #expect(downloads.allSatisfy { $0.action == .dispose })
        let preview = try await storage.preview(CleaningSelection(downloads))
        #expect(preview.purgedItems == 0)
        #expect(preview.disposedItems == 3)
        #expect(preview.freesNow == .zero)
        var result: CleaningResult?
        for try await step in storage.clean(CleaningSelection(downloads)) {
            result = step.result ?? result
        }
        let moved: [TreePath] = [
            "home/.cache/Podcaster/Downloads/optional.zip",
            "home/.local/share/Podcaster/Downloads/requested.mp4",
            "home/.local/share/Podcaster/Lectures/1.mp4",
        ]
        for path in moved { #expect(!fixture.tree.exists(path), "\(path)") }
        // It is not a download: no mark says that it can be downloaded again.
        #expect(fixture.tree.exists("home/.local/share/Podcaster/Lectures/kept.mp4"))
        try await storage.undo(try #require(result?.disposal))
        for path in moved { #expect(fixture.tree.exists(path), "\(path)") }
    }

    @Test func cleansWhatWasChosenAndSaysHowFarItIs() async throws {
        let storage = try await fill()
        let (tiles, drafts) = (Tiles("tiles"), Tiles("drafts"))
        storage.register(tiles)
        storage.register(drafts)
        var items: [Cleanable] = []
        for await update in storage.cleanables() where update.isComplete {
            items += update.items.filter {
                ["Thumbnails", "film.mp4", "tiles"].contains($0.name)
            }
        }
        let selection = CleaningSelection(items)
        let preview = try await storage.preview(selection)
        #expect(preview.freesNow >= .megabytes(3) + .kilobytes(300))
        #expect(preview.freesLater >= .kilobytes(400))
        var steps: [CleaningStep] = []
        for try await step in storage.clean(selection) { steps.append(step) }
        let fractions = steps.map(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.filter { $0 == 1 }.count == 1)
        let result = try #require(steps.last?.result)
        #expect(result.freedByModules == .megabytes(3))
        #expect(try await drafts.usage() == .megabytes(3), "it was not chosen")
        let disposal = try #require(result.disposal)
        #expect(!fixture.base.tree.exists("home/Documents/Trip/film.mp4"))
        try await storage.undo(disposal)
        #expect(fixture.base.tree.exists("home/Documents/Trip/film.mp4"))
        #expect(fixture.base.tree.exists("home/.local/share/Podcaster/LastResort/maps/a.tile"))
    }

    private struct Broken: Error, CustomStringConvertible {
        let description = "the index is locked"
    }

    private struct Stubborn: StorageModule {
        let id = "stubborn"
        let displayName = "Stubborn tiles"
        func usage() async throws -> ByteCount { .megabytes(2) }
        func clean(_ request: CleaningRequest) async throws { throw Broken() }
    }

    private struct Mute: StorageModule {
        let id = "mute"
        func usage() async throws -> ByteCount { throw Broken() }
        func clean(_ request: CleaningRequest) async throws {}
    }

    private func clean(_ ids: [String]) async throws -> CleaningResult {
        var items: [Cleanable] = []
        for await update in fixture.storage.cleanables() where update.isComplete {
            items += update.items.filter { ids.contains($0.id) }
        }
        #expect(items.count == ids.count)
        var result: CleaningResult?
        for try await step in fixture.storage.clean(CleaningSelection(items)) {
            result = step.result ?? result
        }
        return try #require(result)
    }

    @Test(
        "A module that throws while it cleans is named in the result, and holds up no other",
        .tags(.r26b))
    func failingModuleIsReported() async throws {
        let tiles = Tiles("tiles")
        fixture.storage.register(Stubborn())
        fixture.storage.register(tiles)
        let result = try await clean(["stubborn", "tiles"])
        #expect(
            result.failures == [
                CleaningFailure(
                    id: "stubborn", name: "Stubborn tiles",
                    message: "It failed: the index is locked")
            ])
        #expect(result.freedByModules == .megabytes(3))
    }

    @Test("A module that cannot be measured is named in the list and in the result", .tags(.r26b))
    func unmeasurableModuleIsReported() async throws {
        fixture.storage.register(Mute())
        var notes: [String] = []
        for await update in fixture.storage.cleanables() where update.section == .moduleCaches {
            notes = update.items.map(\.note)
        }
        #expect(notes == ["It failed: the index is locked"])
        #expect(try await clean(["mute"]).failures.map(\.id) == ["mute"])
    }

    @Test("A module that was taken out after it was chosen is named in the result", .tags(.r26b))
    func missingModuleIsReported() async throws {
        fixture.storage.register(Tiles("tiles"))
        var items: [Cleanable] = []
        for await update in fixture.storage.cleanables() { items += update.items }
        fixture.storage.unregister(moduleWithID: "tiles")
        var result: CleaningResult?
        for try await step in fixture.storage.clean(CleaningSelection(items)) {
            result = step.result ?? result
        }
        #expect(result?.failures.map(\.id) == ["tiles"])
    }

    @Test(.tags(.r31c)) func deepTakesLastResortAndNoFileOfAPersons() async throws {
        let storage = try await fill()
        for try await _ in storage.cleanDeeply() {}
        #expect(!fixture.base.tree.exists("home/.local/share/Podcaster/LastResort/maps/a.tile"))
        #expect(!fixture.base.tree.exists("home/.cache/Podcaster/Thumbnails/a.png"))
        #expect(fixture.base.tree.exists("home/Documents/Trip/film.mp4"))
    }
}
