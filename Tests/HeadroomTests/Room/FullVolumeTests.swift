//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(
    "R7: the first call on a full volume",
    .enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct FullVolumeTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        // The home and the files of the tests use fewer than a hundred of its inodes.
        fixture = try StorageFixture(volume: .mebibytes(16), inodes: 100)
    }

    private var figures: VolumeFigures {
        get throws { try #require(try Volume.containing(fixture.base.path).figures) }
    }

    /// Fills the volume with caches to the last block, without opening a ledger.
    private func fillWithCaches() throws {
        for number in 0..<14 {
            try fixture.tree.file(
                "home/.cache/Podcaster/episode-\(number)", size: .mebibytes(1))
        }
        let rest = try figures.available
        try fixture.tree.file("home/.cache/Podcaster/rest", size: rest)
        #expect(try figures.available == .zero)
    }

    private func saveTemporaryFiles() throws {
        for number in 0..<20 {
            try fixture.storage.save(Data("x".utf8), as: .temporary, named: "old-\(number)")
        }
    }

    private func useUpInodes() throws {
        var number = 0
        while try figures.availableInodes ?? 0 > 0 {
            try fixture.tree.file("home/.cache/Podcaster/tiny-\(number)", text: "x")
            number += 1
        }
    }

    @Test("The first reservation on a full volume purges and succeeds", .tags(.r7c))
    func reservesOnAFullVolume() throws {
        try fillWithCaches()
        let room = try fixture.storage.makeRoom(for: .mebibytes(2), intent: .essential)
        #expect(room.bytes == .mebibytes(2))
        #expect((room.receipt?.removedCount ?? 0) > 0)
        #expect(try figures.available >= .mebibytes(2))
        // As much as was needed, and not everything.
        #expect(try fixture.names("home/.cache/Podcaster").count >= 10)
        // It is kept from others.
        let other = try fixture.anotherProcess().capacity(countingPurgeable: false)
        #expect(try #require(other.available.bytes) < .mebibytes(2))
    }

    @Test(
        "The table of reservations is created with the ledger, while there is space for it",
        .tags(.s14b))
    func tableIsCreatedWithTheLedger() throws {
        // Opens the ledger.
        _ = fixture.storage.lostMarks()
        #expect(fixture.tree.exists("ledger/reservations"))
        try fillWithCaches()
        let before = try figures.availableInodes
        let room = try fixture.storage.makeRoom(for: .zero, intent: .essential)
        #expect(room.receipt == nil)
        #expect(try figures.availableInodes == before)
    }

    @Test("A reservation on a volume without free inodes frees one")
    func reservesWithoutInodes() throws {
        try useUpInodes()
        let room = try fixture.storage.makeRoom(for: .mebibytes(1), intent: .essential)
        #expect((room.receipt?.removedCount ?? 0) > 0)
        #expect(try figures.availableInodes ?? 0 > 0)
        try fixture.tree.file("home/film", text: "there is an inode for it")
    }

    @Test("A destination on a volume without free inodes gets its file")
    func reservesADestinationWithoutInodes() throws {
        _ = fixture.storage.lostMarks()
        try useUpInodes()
        let film = URL(filePath: fixture.tree.path("home/film").string)
        let room = try fixture.storage.makeRoom(for: .mebibytes(1), intent: .essential, at: film)
        try room.write(Data.pattern(mebibyte))
        try room.publish()
        #expect(try fixture.contents(film).count == mebibyte)
    }

    @Test(
        "A reservation that cannot be made on a full volume names the shortage and deletes nothing",
        .tags(.r7c))
    func namesTheShortage() throws {
        try fillWithCaches()
        let before = try fixture.names("home/.cache/Podcaster")
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(100), intent: .essential)
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try #require(error?.shortBy) > .mebibytes(80))
        #expect(error?.receipt == nil)
        #expect(try fixture.names("home/.cache/Podcaster") == before)
    }

    @Test("A full volume without anything purgeable is reported with its shortage")
    func nothingPurgeable() throws {
        try fixture.tree.file("home/film", size: try figures.available)
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .zero, intent: .essential)
        }
        #expect(error?.code == .insufficientSpace)
        #expect((error?.shortBy ?? .zero) > .zero)
        #expect(error?.message.contains("nothing may be purged") == true)
    }

    @Test("A temporary file on a full volume purges and is created", .tags(.r25c))
    func temporaryFile() throws {
        try saveTemporaryFiles()
        try useUpInodes()
        let content = try fixture.storage.withTemporaryFile { url in
            try Data("x".utf8).write(to: url)
            return try Data(contentsOf: url)
        }
        #expect(content == Data("x".utf8))
    }

    @Test(
        "A cache store and a purgeable directory on a volume without free inodes are created",
        .tags(.r25c))
    func storeAndDirectory() throws {
        _ = fixture.storage.lostMarks()
        try saveTemporaryFiles()
        try useUpInodes()
        let directory = try fixture.storage.purgeableDirectory("Maps", limit: .mebibytes(1))
        #expect(FileManager.default.fileExists(atPath: directory.path))
        // Saving them must not purge those that were just saved.
        for name in try fixture.names("home/.cache/Podcaster") where name.hasPrefix("tiny-") {
            try fixture.tree.remove(TreePath("home/.cache/Podcaster/\(name)"))
        }
        try saveTemporaryFiles()
        try useUpInodes()
        let store = try fixture.storage.cacheStore(named: "tiles", limit: .mebibytes(2))
        try store.put(Data("x".utf8), for: "key")
        #expect(try store.data(for: "key") == Data("x".utf8))
    }
}
