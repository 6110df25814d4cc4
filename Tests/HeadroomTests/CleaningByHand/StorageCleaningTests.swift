//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
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

    @Test func eachDownloadIsShownOnce() async throws {
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
        #expect(downloads.allSatisfy { $0.action == .purge })
        let preview = try await storage.preview(CleaningSelection(downloads))
        #expect(preview.purgedItems == 3)
        #expect(preview.disposedItems == 0)
        for try await _ in storage.clean(CleaningSelection(downloads)) {}
        #expect(!fixture.tree.exists("home/.cache/Podcaster/Downloads/optional.zip"))
        #expect(!fixture.tree.exists("home/.local/share/Podcaster/Lectures/1.mp4"))
        #expect(fixture.tree.exists("home/.local/share/Podcaster/Lectures/kept.mp4"))
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

    @Test func deepTakesLastResortAndNoFileOfAPersons() async throws {
        let storage = try await fill()
        for try await _ in storage.cleanDeeply() {}
        #expect(!fixture.base.tree.exists("home/.local/share/Podcaster/LastResort/maps/a.tile"))
        #expect(!fixture.base.tree.exists("home/.cache/Podcaster/Thumbnails/a.png"))
        #expect(fixture.base.tree.exists("home/Documents/Trip/film.mp4"))
    }
}
