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

/// R11, through what apps import.
@Suite("R11: backup exclusion of an app")
struct StorageBackupTests {
    let fixture: StorageFixture
    private static let all: BackupDialects = [.mark, .ownTag, .attribute]

    init() throws { fixture = try StorageFixture(on: .disk) }

    private var storage: Storage { fixture.storage }

    private func save(_ text: String, as content: ContentClass, named name: String) throws -> URL {
        try storage.save(Data(text.utf8), as: content, named: name)
    }

    @Test func excludingAndIncludingAgain() throws {
        let url = try save("x", as: .essential(.userContent), named: "Episodes/one.mp3")
        let directory = url.deletingLastPathComponent()
        #expect(try storage.excludeFromBackup(directory) == .own(Self.all))
        #expect(
            try storage.backupExclusion(of: url)
                == .inherited(from: FilePath(directory.path), Self.all))
        #expect(try storage.includeInBackup(directory) == .none)
        #expect(try storage.backupExclusion(of: url) == .none)
        #expect(try fixture.tree.names(in: "home/Documents/Episodes").count == 1)
    }

    @Test func theMarkNoBackupIsTheSame() throws {
        let url = try save("x", as: .essential(.userContent), named: "one.mp3")
        try storage.mark(url, .noBackup)
        #expect(try storage.backupExclusion(of: url) == .own([.mark, .attribute, .noDump]))
        try storage.clearMark(of: url)
        #expect(try storage.backupExclusion(of: url) == .none)
    }

    @Test(
        "What is marked as purgeable or last resort is left out of backups in every format",
        .tags(.r11a),
        arguments: [Storage.Marking.purgeable, .lastResort])
    func classMarksExclude(marking: Storage.Marking) throws {
        let url = try save("x", as: .essential(.appData), named: "Episodes/one.mp3")
        try storage.mark(url, marking)
        #expect(try storage.backupExclusion(of: url) == .own([.attribute, .noDump]))
        let directory = url.deletingLastPathComponent()
        try storage.mark(directory, marking)
        #expect(try storage.backupExclusion(of: directory) == .own([.ownTag, .attribute]))
        // A file that is saved again keeps the exclusion.
        _ = try save("y", as: .essential(.appData), named: "Episodes/one.mp3")
        #expect(try storage.backupExclusion(of: url) == .own([.attribute, .noDump]))
        try storage.clearMark(of: directory)
        #expect(try storage.backupExclusion(of: directory) == .none)
        #expect(try storage.includeInBackup(url) == .none)
        #expect(try storage.mark(of: url).purgeClass != nil)
        try storage.clearMark(of: url)
        #expect(try storage.backupExclusion(of: url) == .none)
    }

    @Test("Taking a mark off leaves what others had set before it")
    func keepsTheFormatsOfOthers() throws {
        let url = try save("x", as: .essential(.appData), named: "one.mp3")
        do {
            let file = try Descriptor.openFile(FilePath(url.path))
            try NoDumpFlag.set(true, of: file.rawValue)
        }
        for marking: Storage.Marking in [.lastResort, .noBackup] {
            try storage.mark(url, marking)
            #expect(try storage.backupExclusion(of: url).dialects.contains([.attribute, .noDump]))
            try storage.clearMark(of: url)
            #expect(try storage.backupExclusion(of: url) == .own(.noDump))
        }
    }

    @Test func withoutBlocking() async throws {
        let url = try await storage.save(
            Data("x".utf8), as: .essential(.appData), named: "index")
        #expect(try await storage.excludeFromBackup(url).isVisibleToPrograms)
        #expect(try await storage.backupExclusion(of: url).isExcluded)
        #expect(try await storage.includeInBackup(url) == .none)
    }

    @Test func whatIsEssentialIsBackedUp() throws {
        for content in [ContentClass.essential(.userContent), .essential(.appData)] {
            let url = try save("x", as: content, named: "file")
            #expect(try storage.backupExclusion(of: url) == .none)
        }
    }

    @Test(.tags(.r3e), arguments: [ContentClass.lastResort, .cache])
    func whatCanBeHadAgainSaysSoToBackupPrograms(content: ContentClass) throws {
        let url = try save("x", as: content, named: "file")
        let directory = storage.directory(for: content)
        #expect(
            try storage.backupExclusion(of: url)
                == .inherited(from: FilePath(directory.path), Self.all))
    }

    @Test func aTagThatWasRemovedComesBackWithTheNextProcess() throws {
        let url = try save("x", as: .cache, named: "file")
        let directory = storage.directory(for: .cache)
        try fixture.tree.remove("home/.cache/Podcaster/CACHEDIR.TAG")
        let other = try fixture.anotherProcess()
        try other.save(Data("y".utf8), as: .cache, named: "file")
        #expect(
            try storage.backupExclusion(of: url)
                == .inherited(from: FilePath(directory.path), Self.all))
    }

    @Test func cachesOfAContainerGetNothing() throws {
        for name in ["box", "box/Documents", "box/Library", "box/tmp"] {
            try fixture.tree.directory(TreePath(name))
        }
        let box = URL(filePath: fixture.base.path.appending("box").string)
        let storage = try Storage(container: box, owner: "Podcaster")
        try storage.save(Data("x".utf8), as: .cache, named: "file")
        #expect(
            try fixture.tree.names(in: "box/Library/Caches/Podcaster").map(\.text) == ["file"])
        let found = try storage.backupExclusion(
            of: storage.directory(for: .cache).appending(path: "file"))
        guard case .byLocation(let place) = found else {
            Issue.record("not by its place: \(found)")
            return
        }
        #expect(place.purgeClass == .cache)
    }

    @Test func aReplacedFileKeepsWhatBackupProgramsRead() throws {
        let url = try save("old", as: .essential(.userContent), named: "episode.mp3")
        try storage.excludeFromBackup(url)
        _ = try save("new", as: .essential(.userContent), named: "episode.mp3")
        #expect(try fixture.contents(url) == Data("new".utf8))
        #expect(try storage.backupExclusion(of: url) == .own([.mark, .attribute, .noDump]))
    }

    @Test func aReplacedFileKeepsAlsoWhatOthersHaveSet() throws {
        let url = try save("old", as: .essential(.userContent), named: "episode.mp3")
        let calls = NativeCalls.make()
        do {
            let file = try Descriptor.openFile(FilePath(url.path))
            try calls.setAttribute(
                "user.xdg.robots.backup", to: Array("false".utf8), of: file.rawValue)
            try NoDumpFlag.set(true, of: file.rawValue)
        }
        _ = try save("new", as: .essential(.userContent), named: "episode.mp3")
        #expect(try storage.backupExclusion(of: url) == .own([.attribute, .noDump]))
    }

    @Test func rolesAndWhatLiesOutsideAreRefused() throws {
        _ = try save("x", as: .essential(.userContent), named: "file")
        for path in ["home/Documents", "home", ""] {
            let url = URL(filePath: fixture.base.path.appending(path).string)
            let error = #expect(throws: StorageError.self) {
                try storage.excludeFromBackup(url)
            }
            #expect(error?.code == .refused, "\(path): \(error?.message ?? "")")
        }
        let missing = URL(filePath: fixture.base.path.appending("home/nothing").string)
        let error = #expect(throws: StorageError.self) { try storage.excludeFromBackup(missing) }
        #expect(error?.code == .notFound)
    }
}
