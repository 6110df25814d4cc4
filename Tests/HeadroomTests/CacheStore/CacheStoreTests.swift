//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R20: cache store of an app")
struct CacheStoreTests {
    private func options() -> CacheOptions { CacheOptions(limit: .megabytes(16)) }

    @Test(.tags(.r20a), arguments: [0, 5, 70_000])
    func whatWasPutIsGivenBack(length: Int) async throws {
        let directory = try TemporaryDirectory()
        let url = URL(filePath: directory.path.appending("images").string)
        let data = Data.pattern(length)
        do {
            let store = try await CacheStore(at: url, options())
            try await store.put(data, for: "https://example.com/ä.jpg")
            let found = try await store.data(for: "https://example.com/ä.jpg")
            #expect(found == data)
            let missing = try await store.data(for: "https://example.com/a.jpg")
            #expect(missing == nil)
        }
        let store = try await CacheStore(at: url, options())
        #expect(store.contains("https://example.com/ä.jpg"))
        let found = try await store.data(for: "https://example.com/ä.jpg")
        #expect(found == data)
        let wasThere = try await store.remove("https://example.com/ä.jpg")
        #expect(wasThere)
        #expect(!store.contains("https://example.com/ä.jpg"))
        #expect(store.statistics.hits == 1)
    }

    @Test(.tags(.r20a)) func filesAndStreamsComeAndGo() async throws {
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("media").string), options())
        let data = Data.pattern(300_000)
        let source = URL(filePath: directory.path.appending("source").string)
        try data.write(to: source)
        try await store.put(contentsOf: source, for: "file")
        let pieces = AsyncStream<Data> { stream in
            for start in stride(from: 0, to: data.count, by: 10_007) {
                stream.yield(data[start..<min(data.count, start + 10_007)])
            }
            stream.finish()
        }
        try await store.put(pieces, for: "stream", CacheAttributes(tags: ["media"]))
        for key in ["file", "stream"] {
            let file = try #require(try await store.open(key))
            #expect(file.count == data.count)
            #expect(try await file.read(100, at: 299_950) == data.suffix(50))
            var mapped: Data? = try file.mapped()
            let removed = try await store.remove(key)
            #expect(removed)
            #expect(mapped == data)
            mapped = nil
            #expect(try await file.read(10, at: 0) == data.prefix(10))
        }
        let gone = try await store.open("file")
        #expect(gone == nil)
    }

    /// Half of what it was and half of what it becomes is nothing that anybody has written.
    @Test func aFileThatIsWrittenToMeanwhileIsNotPut() async throws {
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("store").string), options())
        let path = directory.path.appending("source")
        let source = URL(filePath: path.string)
        try Data.pattern(4 << 20).write(to: source)
        try await store.put(Data([1]), for: "key")
        let isDone = Atomic(false)
        let isWriting = Atomic(false)
        let writer = try WorkerThread {
            let file = try? FileDescriptor.open(path, .writeOnly, options: .append)
            while !isDone.load(ordering: .acquiring) {
                _ = try? file?.writeAll([2])
                isWriting.store(true, ordering: .releasing)
                usleep(100)
            }
            try? file?.close()
        }
        #expect(Soon.holds { isWriting.load(ordering: .acquiring) })
        // Its thread may have to wait while the file is read.
        var failure: StorageError?
        for _ in 0..<1000 where failure == nil {
            try await store.put(Data([1]), for: "key")
            do throws(StorageError) {
                try await store.put(contentsOf: source, for: "key")
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == .io)
        isDone.store(true, ordering: .releasing)
        writer.join()
        let left = try await store.data(for: "key")
        #expect(left == Data([1]))
        try await store.put(contentsOf: source, for: "key")
        let whole = try await store.data(for: "key")
        #expect(try whole == Data(contentsOf: source))
    }

    @Test func aStreamThatBreaksLeavesWhatWasThere() async throws {
        struct Broken: Error {}
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("media").string), options())
        try await store.put(Data([1]), for: "key")
        let pieces = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data.pattern(100_000))
            stream.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) { try await store.put(pieces, for: "key") }
        let found = try await store.data(for: "key")
        #expect(found == Data([1]))
        // What had come of it is gone.
        let left = try directory.tree.names(in: "media").map(\.text)
        #expect(left.filter { $0.hasSuffix(".value") } == [])
    }

    @Test func whatIsKnownToBeMissing() async throws {
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("media").string), options())
        try await store.putNothing(for: "key", lifetime: .seconds(60))
        #expect(store.isKnownMissing("key"))
        #expect(!store.isKnownMissing("other"))
        #expect(!store.contains("key"))
        #expect(await store.entry(for: "key") == nil)
        let found = try await store.data(for: "key")
        #expect(found == nil)
        try await store.put(Data([1]), for: "key")
        #expect(!store.isKnownMissing("key"))
        #expect(store.contains("key"))
    }

    @Test func entriesTagsAndPins() async throws {
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("media").string), options())
        let attributes = CacheAttributes(
            as: .lastResort, lifetime: .seconds(3600), importance: 3, metadata: [7],
            tags: ["feed-1"])
        try await store.put(Data.pattern(500), for: "episode", attributes)
        try await store.put(Data.pattern(50), for: "other")
        let entry = try #require(store.entry(for: "episode"))
        #expect(entry.size == ByteCount(500))
        #expect(entry.attributes.purgeClass == .lastResort)
        #expect(entry.attributes.metadata == [7])
        #expect(entry.attributes.tags == ["feed-1"])
        #expect(!entry.isPinned)
        do {
            let pin = try #require(try await store.pin("episode"))
            #expect(await store.entry(for: "episode")?.isPinned == true)
            await store.shrink(by: .gigabytes(1), through: .lastResort)
            #expect(store.contains("episode"))
            #expect(!store.contains("other"))
            _ = pin
        }
        #expect(await store.entry(for: "episode")?.isPinned == false)
        var keys: [String] = []
        store.forEachEntry { keys.append($0.key) }
        #expect(keys == ["episode"])
        let removed = try await store.removeAll(tagged: "feed-1")
        #expect(removed == 1)
        try await store.put(Data([1]), for: "key")
        try await store.removeAll()
        #expect(store.statistics.entries == 0)
    }

    private struct Episode: Codable, Hashable {
        var title: String
        var length: Int
    }

    @Test func valuesOfATypeOfTheirOwn() async throws {
        let directory = try TemporaryDirectory()
        let store = try await CacheStore(
            at: URL(filePath: directory.path.appending("media").string), options())
        let episodes = TypedCache<Int, Episode>(in: store, named: "episodes")
        let feeds = TypedCache<Int, [Int]>(in: store, named: "feeds")
        let episode = Episode(title: "Ä", length: 3)
        try await episodes.put(episode, for: 7)
        try await feeds.put([1, 2], for: 7)
        let found = try await episodes.value(for: 7)
        #expect(found == episode)
        let numbers = try await feeds.value(for: 7)
        #expect(numbers == [1, 2])
        // What cannot be decoded any more is not there.
        let renamed = TypedCache<Int, [String]>(in: store, named: "episodes")
        let none = try await renamed.value(for: 7)
        #expect(none == nil)
        // For whoever has put it it is.
        let stays = try await episodes.value(for: 7)
        #expect(stays == episode)
        var made = 0
        for _ in 0..<2 {
            let value = try await episodes.value(for: 8) {
                made += 1
                return Episode(title: "made", length: made)
            }
            #expect(value.length == 1)
        }
        #expect(made == 1)
        let removed = try await episodes.remove(8)
        #expect(removed)
    }

    @Test func itLiesAmongTheCachesOfTheApp() async throws {
        let directory = try TemporaryDirectory()
        let home = URL(filePath: directory.path.string)
        for name in ["Documents", "Library/Caches", "Library/Application Support", "tmp"] {
            try FileManager.default.createDirectory(
                at: home.appending(path: name), withIntermediateDirectories: true)
        }
        let storage = try Storage(container: home, owner: "Podcaster")
        let store = try await storage.cacheStore(named: "Thumbnails", limit: .megabytes(8))
        try await store.put(Data([1]), for: "key")
        let place = home.appending(path: "Library/Caches/Podcaster/Thumbnails.store/index.log")
        #expect(FileManager.default.fileExists(atPath: place.path))
        for name in ["", "a/b", "../x", ".hidden"] {
            let error = #expect(throws: StorageError.self) {
                try storage.cacheStore(named: name, limit: .megabytes(8))
            }
            #expect(error?.code == .invalidName)
        }
    }

    @Test func whatCannotBeSaysWhy() throws {
        let directory = try TemporaryDirectory()
        let url = URL(filePath: directory.path.appending("images").string)
        let error = #expect(throws: StorageError.self) {
            try CacheStore(at: url, CacheOptions(limit: .kilobytes(10)))
        }
        #expect(error?.message.contains("too small") == true)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    /// What was empty, and has been removed by another process.
    @Test func anEmptyValueThatIsGoneIsNotFound() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        let first = try CacheStore(at: url, CacheOptions(limit: .megabytes(64)))
        let second = try CacheStore(at: url, CacheOptions(limit: .megabytes(64)))
        first.finishRebuilding()
        second.finishRebuilding()
        try first.put(Data(), for: "removed")
        try first.put(Data(), for: "replaced")
        #expect(try second.data(for: "removed") == Data())
        #expect(try second.data(for: "replaced") == Data())
        try first.remove("removed")
        try first.putNothing(for: "replaced", lifetime: .seconds(60))
        #expect(try second.data(for: "removed") == nil)
        #expect(try second.data(for: "replaced") == nil)
    }

    @Test func nothingOutsideOfAValueIsRead() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        let store = try CacheStore(at: url, options())
        let data = Data.pattern(80_000)
        for key in ["packed", "file"] {
            try store.put(key == "file" ? data : data.prefix(100), for: key)
            let file = try #require(try store.open(key))
            let count = file.count
            // Behind the value its key follows.
            for offset in [-40, -1, Int.min, count, count + 1, Int.max] {
                #expect(try file.read(count + 50, at: offset) == Data())
            }
            #expect(try file.read(-1, at: 0) == Data())
            #expect(try file.read(.max, at: count - 10) == data.prefix(count).suffix(10))
        }
    }

    /// And nothing goes for it.
    @Test func aFileThatIsTooLargeIsRefusedBeforeItIsRead() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        let store = try CacheStore(at: url, options())
        for number in 0..<100 { try store.put(Data.pattern(100_000), for: "\(number)") }
        let source = URL(filePath: directory.path.appending("source").string)
        try Data.pattern(8_000_000).write(to: source)
        let error = #expect(throws: StorageError.self) {
            try store.put(contentsOf: source, for: "large")
        }
        #expect(error?.code == .refused)
        #expect(store.statistics.evictions == 0)
    }

    #if os(Linux)
    /// The system says of such a file that it is empty.
    @Test func aFileThatSaysNothingOfItsSizeIsReadToItsEnd() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        let store = try await CacheStore(at: url, options())
        let source = "/proc/version"
        try await store.put(contentsOf: URL(filePath: source), for: "key")
        let text = try String(contentsOfFile: source, encoding: .utf8)
        #expect(!text.isEmpty)
        let found = try await store.data(for: "key")
        #expect(found == Data(text.utf8))
    }
    #endif

    @Test func theLifetimeOfAnEntryIsWhatIsLeftOfIt() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        let store = try CacheStore(at: url, options())
        try store.put(Data([1]), for: "key", CacheAttributes(lifetime: .seconds(20)))
        try store.put(Data([1]), for: "for ever")
        func left(until expiry: Timestamp) -> Duration {
            .nanoseconds(expiry.nanoseconds - Timestamp.now().nanoseconds)
        }
        let first = try #require(store.entry(for: "key"))
        let expiry = try #require(first.expiry)
        // As it is found, some time has passed since it was put.
        let before = left(until: expiry)
        let entry = try #require(store.entry(for: "key"))
        let after = left(until: expiry)
        let lifetime = try #require(entry.attributes.lifetime)
        #expect(after <= lifetime && lifetime <= before)
        #expect(store.entry(for: "for ever")?.attributes.lifetime == nil)
    }
}
