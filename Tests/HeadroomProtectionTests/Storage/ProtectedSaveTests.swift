//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ProtectedSaveTests {
    private let base: TemporaryDirectory
    private let storage: Storage
    private let keys: KeyBag

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.directory("home")
        storage = try Storage(
            home: base.path.appending("home"),
            environment: ["TMPDIR": base.path.appending("tmp").string], owner: "Diary",
            ledgerDirectory: base.path.appending("ledger"))
        keys = try storage.makeKeyBag(
            passphrase: try Passphrase(ProtectionFixture.words),
            parameters: ProtectionFixture.cheap)
    }

    private func read(_ url: URL) throws -> Data {
        let file = try ProtectedFile(at: url, keys: keys)
        return try file.read(at: 0, count: Int(file.size))
    }

    private func level(_ url: URL) -> Protection { Protection.of(FilePath(url.path)) }

    @Test(arguments: [0, 1, 65_536, 200_000])
    func savesDataFilesAndStreams(size: Int) async throws {
        let content = ProtectionFixture.content(size)
        let data = try await storage.save(
            content, as: .essential(.appData), named: "a/data", protection: .complete, keys: keys)
        let waited = try await storage.save(
            content, as: .cache, named: "waited", protection: .completeUnlessOpen, keys: keys,
            durability: .full)
        let source = base.path.appending("source")
        try content.write(to: URL(filePath: source.string))
        let copy = try await storage.save(
            contentsOf: URL(filePath: source.string), as: .lastResort, named: "copy",
            protection: .completeWhenUserInactive, keys: keys)
        let pieces = AsyncStream<Data> { continuation in
            var rest = content
            while !rest.isEmpty {
                continuation.yield(Data(rest.prefix(10_007)))
                rest = rest.dropFirst(10_007)
            }
            continuation.finish()
        }
        let stream = try await storage.save(
            pieces, as: .temporary, named: "stream",
            protection: .completeUntilFirstUserAuthentication, keys: keys,
            expecting: ByteCount(Int64(size)))
        for url in [data, waited, copy, stream] {
            #expect(try read(url) == content)
            let beginning = try Data(contentsOf: url).prefix(10_000)
            #expect(size < 64 || beginning.firstRange(of: content.prefix(64)) == nil)
        }
        #expect(level(data) == .level(.complete))
        #expect(level(waited) == .level(.completeUnlessOpen))
        #expect(level(copy) == .level(.completeWhenUserInactive))
        #expect(level(stream) == .level(.completeUntilFirstUserAuthentication))
    }

    @Test func replacesAndKeepsTheMark() throws {
        let url = try storage.save(
            Data("one".utf8), as: .cache, named: "x", protection: .complete, keys: keys)
        try storage.mark(url, .pinned)
        try storage.save(
            Data("two".utf8), as: .cache, named: "x", protection: .completeUnlessOpen, keys: keys)
        #expect(try read(url) == Data("two".utf8))
        #expect(try storage.explain(url).mark.isPinned == true)
    }

    @Test(.tags(.r18f, .r36e)) func explainAndAuditTellTheLevel() throws {
        let content = ProtectionFixture.content(300_000)
        let url = try storage.save(
            content, as: .essential(.appData), named: "film.mp4", protection: .complete, keys: keys)
        let plain = try storage.save(content, as: .essential(.appData), named: "plain.mp4")
        // Locked, and without the keys at all.
        keys.lock(.end)
        #expect(try storage.explain(url).protection == .level(.complete))
        #expect(try storage.explain(plain).protection == .level(.none))
        let files = try storage.audit().largest
        let film = try #require(files.first { $0.path.lastComponent == "film.mp4" })
        #expect(film.protection == .level(.complete))
        // By its name: nobody else knows what is in it.
        #expect(film.kind == .video)
        #expect(files.first { $0.path.lastComponent == "plain.mp4" }?.protection == nil)
        // One of the two slots is enough, the first as well as the second.
        var bytes = try Data(contentsOf: url)
        var overwritten = bytes
        overwritten.replaceSubrange(0..<4_096, with: Data(count: 4_096))
        try overwritten.write(to: url)
        #expect(try storage.explain(url).protection == .level(.complete))
        let halved = try storage.audit().largest.first { $0.path.lastComponent == "film.mp4" }
        #expect(halved?.protection == .level(.complete))
        // A damaged header is no lack of protection.
        for place in [100, 4_200] { bytes[place] ^= 1 }
        try bytes.write(to: url)
        #expect(try storage.explain(url).protection == .unknown)
        let damaged = try storage.audit().largest.first { $0.path.lastComponent == "film.mp4" }
        #expect(damaged?.protection == .unknown)
    }

    @Test func neverFallsBackToPlain() throws {
        keys.lock()
        let url = storage.directory(for: .cache).appending(path: "x")
        let code = ProtectionFixture.code {
            try storage.save(
                Data("one".utf8), as: .cache, named: "x", protection: .complete, keys: keys)
        }
        #expect(code == .locked)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try storage.save(
            Data("one".utf8), as: .cache, named: "x", protection: .completeUnlessOpen, keys: keys)
        #expect(level(url) == .level(.completeUnlessOpen))
    }

    @Test func failingStreamsLeaveNothing() async throws {
        struct Broken: Error {}
        let pieces = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(ProtectionFixture.content(200_000))
            continuation.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) {
            try await storage.save(
                pieces, as: .essential(.appData), named: "broken", protection: .complete,
                keys: keys)
        }
        let place = storage.directory(for: .essential(.appData))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

    // MARK: - Directories

    private func save(_ name: String) throws -> Protection {
        level(
            try storage.save(
                Data("text".utf8), as: .essential(.appData), named: name, keys: keys))
    }

    private func save(_ name: String, _ protection: ProtectionLevel) throws -> Protection {
        level(
            try storage.save(
                Data("text".utf8), as: .essential(.appData), named: name, protection: protection,
                keys: keys))
    }

    private func codeOfSaving(_ name: String, as content: ContentClass = .essential(.appData))
        -> StorageError.Code?
    {
        do {
            try storage.save(Data("plain".utf8), as: content, named: name)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Saving without keys where files have to be encrypted fails, and writes nothing",
        .tags(.r36a))
    func neverWritesPlaintext() async throws {
        let place = storage.directory(for: .essential(.appData))
        #expect(codeOfSaving("before") == nil)
        try storage.setProtection(.complete, ofNewFilesIn: place)
        for name in ["x", "new/deep/x", "before"] {
            #expect(codeOfSaving(name) == .keysMissing)
        }
        #expect(try Data(contentsOf: place.appending(path: "before")) == Data("plain".utf8))
        let source = URL(filePath: base.path.appending("source").string)
        try Data("copy".utf8).write(to: source)
        #expect(throws: StorageError.self) {
            try storage.save(contentsOf: source, as: .essential(.appData), named: "copy")
        }
        await #expect(throws: StorageError.self) {
            try await storage.save(
                AsyncStream<Data> { $0.finish() }, as: .essential(.appData), named: "stream")
        }
        #expect(throws: StorageError.self) {
            try storage.save(as: .essential(.appData), named: "written") { _ in }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["before"])
        // With keys, or where a directory lifts it, it works.
        #expect(try save("x") == .level(.complete))
        #expect(try save("plain", .none) == .level(.none))
        let open = place.appending(path: "open")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: true)
        try storage.setProtection(.none, ofNewFilesIn: open)
        #expect(codeOfSaving("open/x") == nil)
        try storage.removeProtection(ofNewFilesIn: place)
        #expect(codeOfSaving("y") == nil)
    }

    @Test(
        "A level of a directory around that of the class counts, as soon as it is set", .tags(.r36a)
    )
    func levelsOfDirectoriesAroundCount() throws {
        #expect(codeOfSaving("x", as: .cache) == nil)
        try storage.setProtection(
            .complete, ofNewFilesIn: URL(filePath: base.path.appending("home").string))
        #expect(codeOfSaving("x", as: .cache) == .keysMissing)
        #expect(codeOfSaving("new/x", as: .cache) == .keysMissing)
    }

    @Test("An encrypted file is not replaced by plaintext", .tags(.r36a))
    func encryptedFilesStayEncrypted() throws {
        #expect(try save("x", .complete) == .level(.complete))
        #expect(codeOfSaving("x") == .keysMissing)
        let url = storage.directory(for: .essential(.appData)).appending(path: "x")
        #expect(try read(url) == Data("text".utf8))
        #expect(try save("x", .none) == .level(.none))
        #expect(codeOfSaving("x") == nil)
    }

    @Test("A download does not go where files have to be encrypted", .tags(.r36a))
    func downloadsAreRejected() throws {
        try storage.setProtection(
            .complete, ofNewFilesIn: URL(filePath: base.path.appending("home").string))
        let download = try DownloadPlace(
            storage, url: "https://example.com/a", shown: "a", intent: .requested,
            collection: nil, name: "a")
        let error = #expect(throws: StorageError.self) { _ = try download.open() }
        #expect(error?.code == .keysMissing)
    }

    @Test func newFilesTakeTheLevelOfTheNearestDirectory() throws {
        #expect(try save("a/b/plain") == .level(.none))
        let place = storage.directory(for: .essential(.appData))
        try storage.setProtection(.complete, ofNewFilesIn: place)
        try storage.setProtection(
            .completeUnlessOpen, ofNewFilesIn: place.appending(path: "a"))
        #expect(try save("x") == .level(.complete))
        #expect(try save("new/deep/x") == .level(.complete))
        #expect(try save("a/b/x") == .level(.completeUnlessOpen))
        // Those that are there stay, until they are saved anew.
        #expect(level(place.appending(path: "a/b/plain")) == .level(.none))
        #expect(try save("a/b/plain") == .level(.completeUnlessOpen))
        #expect(try save("a/b/y", .completeWhenUserInactive) == .level(.completeWhenUserInactive))
        #expect(
            try storage.protectionOfNewFiles(in: place.appending(path: "a/b"))
                == .level(.completeUnlessOpen))
        try storage.removeProtection(ofNewFilesIn: place.appending(path: "a"))
        #expect(try save("a/b/x") == .level(.complete))
        // `none` is a level as the others are, of a file and of a directory.
        #expect(try save("a/b/z", .none) == .level(.none))
        try storage.setProtection(.none, ofNewFilesIn: place.appending(path: "a"))
        #expect(try save("a/b/new") == .level(.none))
        #expect(try save("c") == .level(.complete))
        try storage.removeProtection(ofNewFilesIn: place)
        #expect(try storage.protectionOfNewFiles(in: place) == nil)
    }

    @Test func everyFormTakesTheLevelOfItsDirectory() async throws {
        let content = ProtectionFixture.content(100_000)
        let first = try await storage.save(content, as: .cache, named: "first", keys: keys)
        #expect(level(first) == .level(.none))
        try storage.setProtection(.completeUnlessOpen, ofNewFilesIn: storage.directory(for: .cache))
        let source = URL(filePath: base.path.appending("source").string)
        try content.write(to: source)
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(content)
            continuation.finish()
        }
        let saved = [
            try await storage.save(contentsOf: source, as: .cache, named: "copy", keys: keys),
            try await storage.save(content, as: .cache, named: "data", keys: keys),
            try await storage.save(stream, as: .cache, named: "stream", keys: keys),
        ]
        for url in saved {
            #expect(level(url) == .level(.completeUnlessOpen))
            #expect(try read(url) == content)
        }
    }

    /// Saved again without a word, it must not become plain.
    @Test func whatIsReplacedHandsItsLevelOn() throws {
        #expect(try save("x", .completeWhenUserInactive) == .level(.completeWhenUserInactive))
        #expect(try save("x") == .level(.completeWhenUserInactive))
        #expect(try save("x", .none) == .level(.none))
    }

    @Test func whatADirectorySaysAndNobodyUnderstandsIsNotNothing() throws {
        let place = storage.directory(for: .essential(.appData))
        #expect(try save("x") == .level(.none))
        let directory = try Descriptor.openDirectory(FilePath(place.path))
        try NativeCalls.make().setAttribute(
            DirectoryProtection.name, to: Array("2 sealed".utf8), of: directory.rawValue)
        #expect(try storage.protectionOfNewFiles(in: place) == .unknown)
        #expect(ProtectionFixture.code { _ = try save("y") } == .unsupported)
        #expect(try save("y", .complete) == .level(.complete))
    }

    @Test func sizeAndRoomAreOfWhatIsWritten() throws {
        let url = try storage.save(
            ProtectionFixture.content(100_000), as: .cache, named: "x", protection: .complete,
            keys: keys)
        let length = try Data(contentsOf: url).count
        #expect(
            Int64(length) == ProtectionHeaderArea.fileSize(ofContent: 100_000, chunkSize: 65_536))
    }
}
#endif
