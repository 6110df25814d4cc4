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
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R3: saving by class.
struct SaveTests {
    @Test(
        .tags(.r3a),
        arguments: [
            (ContentClass.essential(.userContent), "home/Documents/Trip/photo.jpg"),
            (.essential(.appData), "home/.local/share/Podcaster/Trip/photo.jpg"),
            (.lastResort, "home/.local/share/Podcaster/LastResort/Trip/photo.jpg"),
            (.cache, "home/.cache/Podcaster/Trip/photo.jpg"),
        ])
    func r3EachClassHasItsPlace(content: ContentClass, place: String) throws {
        let fixture = try StorageFixture()
        let data = Data.pattern(10_000)
        let url = try fixture.storage.save(data, as: content, named: "Trip/photo.jpg")
        #expect(url.path == fixture.base.path.string + "/" + place)
        #expect(try fixture.contents(url) == data)
        #expect(url.path.hasPrefix(fixture.storage.directory(for: content).path))
    }

    @Test(.tags(.r3a)) func r3TemporaryGoesToADirectoryOfTheUsersOwn() throws {
        let fixture = try StorageFixture()
        let url = try fixture.storage.save(Data("x".utf8), as: .temporary, named: "part")
        let directory = try fixture.tree.status(of: "tmp/Podcaster-\(User.effective)")
        #expect(url.path.hasPrefix(fixture.base.path.string + "/tmp/Podcaster-"))
        #expect(directory.permissions == 0o700)
    }

    @Test func r3ADirectoryThatOthersMayWriteToIsNotTakenForOurs() throws {
        let fixture = try StorageFixture()
        let name = TreePath("tmp/Podcaster-\(User.effective)")
        try fixture.tree.directory(name)
        try fixture.tree.setPermissions(0o777, of: name)
        #expect(throws: StorageError.self) {
            try fixture.storage.save(Data("x".utf8), as: .temporary, named: "part")
        }
        #expect(try fixture.names(name).isEmpty)
    }

    @Test(.tags(.r3d)) func r3AReplacedFileKeepsItsPermissionsAndItsMark() throws {
        let fixture = try StorageFixture()
        let url = try fixture.storage.save(
            Data("old".utf8), as: .essential(.userContent), named: "episode.mp3")
        try fixture.tree.setPermissions(0o600, of: "home/Documents/episode.mp3")
        try fixture.storage.mark(url, .lastResort, .noBackup)
        let before = try fixture.tree.status(of: "home/Documents/episode.mp3")

        try fixture.storage.save(
            Data("new".utf8), as: .essential(.userContent), named: "episode.mp3")
        let after = try fixture.tree.status(of: "home/Documents/episode.mp3")
        #expect(after.identity != before.identity)
        #expect(after.permissions == 0o600)
        #expect(try fixture.contents(url) == Data("new".utf8))
        let mark = try fixture.storage.mark(of: url)
        #expect(mark.purgeClass == .lastResort)
        #expect(mark.isExcludedFromBackup == true)
    }

    @Test(
        .tags(.r3b),
        arguments: [
            "", "/etc/passwd", "../escape", "a/../../escape", ".", "a//b", "a/",
            ".headroom-saving-1",
            "nul\0inside", "a/.headroom-x/b",
        ])
    func r3ANameThatLeadsElsewhereIsRefused(name: String) throws {
        let fixture = try StorageFixture()
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(Data("x".utf8), as: .cache, named: name)
        }
        #expect(error?.code == .invalidName)
        #expect(error?.message.contains("Use a name such as") == true)
        #expect(try fixture.names("home").isEmpty)
    }

    /// What is essential would lie where things may go, and out of backups.
    @Test(.tags(.r3b), arguments: ["LastResort/a", "LastResort", "lastresort/b/c"])
    func r3ANameThatStandsForAnotherClassIsRefused(name: String) throws {
        let fixture = try StorageFixture()
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(Data("x".utf8), as: .essential(.appData), named: name)
        }
        #expect(error?.code == .invalidName)
        #expect(error?.message.contains("lastResort") == true)
        #expect(try fixture.names("home").isEmpty)
        // Of other classes it is a name like any other, and so is one that only begins alike.
        try fixture.storage.save(Data("x".utf8), as: .cache, named: name)
        let url = try fixture.storage.save(
            Data("x".utf8), as: .essential(.appData), named: "LastResorts/a")
        #expect(try fixture.storage.explain(url).purgeClass == .essential)
    }

    @Test(.tags(.r3b)) func r3ALinkOnTheWayIsNotFollowed() throws {
        let fixture = try StorageFixture()
        try fixture.tree.directory("elsewhere")
        try fixture.storage.save(Data("x".utf8), as: .cache, named: "first")
        try fixture.tree.symbolicLink("home/.cache/Podcaster/sub", to: "../../../elsewhere")
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(Data("x".utf8), as: .cache, named: "sub/file")
        }
        #expect(error?.code == .refused)
        #expect(try fixture.names("elsewhere").isEmpty)
    }

    @Test func r3ADirectoryIsNotReplaced() throws {
        let fixture = try StorageFixture()
        try fixture.storage.save(Data("x".utf8), as: .cache, named: "a/b")
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(Data("y".utf8), as: .cache, named: "a")
        }
        #expect(error?.code == .invalidName)
        #expect(try fixture.names("home/.cache/Podcaster") == ["a"])
    }

    @Test func r3FilesAreCopiedAndTheOriginalStays() async throws {
        let fixture = try StorageFixture()
        let data = Data.pattern(3_000_000)
        try fixture.tree.file("source", contents: Array(data))
        let url = try await fixture.storage.save(
            contentsOf: URL(filePath: fixture.base.path.appending("source").string),
            as: .lastResort, named: "episode.mp3", durability: .full)
        #expect(try fixture.contents(url) == data)
        #expect(fixture.tree.exists("source"))
    }

    @Test(.tags(.r3e)) func r3TheDirectoryOfLastResortIsMarkedSo() throws {
        let fixture = try StorageFixture()
        let url = try fixture.storage.save(Data("x".utf8), as: .lastResort, named: "a")
        let mark = try fixture.storage.mark(of: url)
        #expect(mark.purgeClass == .lastResort)
        #expect(mark.isExcludedFromBackup == true)
    }

    @Test func r3NothingIsSeenOfAFileThatCouldNotBeWritten() throws {
        let fixture = try StorageFixture()
        try fixture.storage.save(Data("old".utf8), as: .cache, named: "file")
        #expect(throws: StorageError.self) {
            try fixture.storage.save(
                contentsOf: URL(filePath: "/no/such/file"), as: .cache, named: "file")
        }
        #expect(try fixture.names("home/.cache/Podcaster") == ["file"])
        #expect(
            try fixture.tree.contents(of: "home/.cache/Podcaster/file") == Array("old".utf8))
    }

    @Test(arguments: ["", "a/b", "..", ".hidden", "/"])
    func anOwnerIsANameOfADirectory(owner: String) {
        let error = #expect(throws: StorageError.self) { try Storage.app(owner: owner) }
        #expect(error?.code == .invalidOwner)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount"))
    func r3OnAFullVolumeRoomIsMadeOnceWithinWhatTheIntentAllows() throws {
        let fixture = try StorageFixture(volume: .mebibytes(8))
        let mebibyte = 1 << 20
        for number in 0..<6 {
            try fixture.storage.save(
                Data.pattern(mebibyte), as: .cache, named: "old-\(number)")
        }
        // 2 MiB of 8 are left at most: the caches have to go for it, as far as needed.
        let data = Data.pattern(4 * mebibyte, seed: 3)
        let url = try fixture.storage.save(data, as: .essential(.appData), named: "precious")
        #expect(try fixture.contents(url) == data)
        let left = try fixture.names("home/.cache/Podcaster").count
        #expect(left < 6)
        #expect(left > 0)

        // What is essential stays, so this cannot fit, and nothing more is deleted for it.
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(
                Data.pattern(9 * mebibyte), as: .essential(.appData), named: "too-large")
        }
        #expect(error?.code == .insufficientSpace)
        #expect((error?.shortBy ?? .zero) > .zero)
        #expect(try fixture.names("home/.cache/Podcaster").count == left)
        #expect(try fixture.contents(url) == data)
        #expect(try fixture.names("home/.local/share/Podcaster") == ["precious"])
    }
}
