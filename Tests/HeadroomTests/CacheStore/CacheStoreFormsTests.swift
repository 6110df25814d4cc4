//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R20: the forms of the cache store's calls")
struct CacheStoreFormsTests {
    private let options = CacheOptions(limit: .megabytes(16))

    private func place(_ directory: TemporaryDirectory) -> URL {
        URL(filePath: directory.path.appending("store").string)
    }

    @Test(.tags(.r20a), arguments: [0, 1, 4000, 300_000])
    func bytesAreWhatDataIs(size: Int) throws {
        let directory = try TemporaryDirectory(on: .memory)
        let store = try CacheStore(at: place(directory), options)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try store.put(bytes: bytes, for: "bytes", CacheAttributes(metadata: [7]))
        #expect(try store.bytes(for: "bytes") == bytes)
        #expect(try store.data(for: "bytes") == Data(bytes))
        #expect(store.entry(for: "bytes")?.attributes.metadata == [7])
        try store.put(Data(bytes), for: "data")
        #expect(try store.bytes(for: "data") == bytes)
        #expect(try store.bytes(for: "nothing") == nil)
    }

    /// A value's memory begins before it where it is packed with others: it must behave as any other data's.
    @Test(
        arguments: [1, 15, 4000, 40_000, 300_000], ["k", String(repeating: "long ", count: 200)])
    func dataThatWasReadCanBeChangedAndOutlivesTheStore(size: Int, key: String) throws {
        let directory = try TemporaryDirectory(on: .memory)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var (changed, kept) = (Data(), Data())
        do {
            let store = try CacheStore(at: place(directory), options)
            try store.put(Data(bytes), for: key)
            changed = try #require(try store.data(for: key))
            kept = changed
            #expect(changed.startIndex == 0)
            let address = unsafe changed.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
            #expect(address % 16 == 0)
            // In place, and to more than there is room for.
            changed[0] ^= 0xFF
            changed.append(Data(bytes))
            changed.append(contentsOf: [UInt8](repeating: 9, count: 4 * size + 100))
            #expect(try store.data(for: key) == Data(bytes))
            #expect(try store.remove(key))
        }
        #expect(kept == Data(bytes))
        #expect(changed.prefix(2 * size) == Data([bytes[0] ^ 0xFF] + bytes.dropFirst() + bytes))
        kept.removeFirst(size / 2)
        kept.reserveCapacity(4 * size)
        #expect(Array(kept) == Array(bytes.dropFirst(size / 2)))
        kept.resetBytes(in: kept.startIndex..<kept.endIndex)
        #expect(kept.allSatisfy { $0 == 0 })
        #expect(changed.count == 6 * size + 100)
    }

    @Test func whatWasReadIsFreedWithItsData() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let store = try CacheStore(at: place(directory), options)
        let size = 40_000
        try store.put(Data(repeating: 7, count: size), for: "key")
        let count = 20_000
        let before = ResidentMemory.bytes
        for _ in 0..<count { #expect(try store.data(for: "key")?.count == size) }
        // Without it 800 MB; tests beside this one use far less.
        #expect(ResidentMemory.bytes - before < size * count / 2)
    }

    @Test func bytesThatAreTooManyAreRefused() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let store = try CacheStore(at: place(directory), options)
        try store.put(bytes: [1], for: "key")
        let error = #expect(throws: StorageError.self) {
            try store.put(bytes: [UInt8](repeating: 2, count: 8_000_001), for: "key")
        }
        #expect(error?.code == .refused)
        #expect(try store.bytes(for: "key") == [1])
    }

    /// Each call that blocks has a form that does not; all of a store's life by these.
    @Test(.tags(.r20a)) func aStoreCanBeUsedWithoutBlocking() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let store = try await CacheStore(at: place(directory), options)
        await store.finishRebuilding()
        try await store.put(bytes: [1, 2, 3], for: "key")
        #expect(try await store.bytes(for: "key") == [1, 2, 3])
        try await store.putNothing(for: "missing", lifetime: .seconds(3600))
        #expect(await store.isKnownMissing("missing"))
        #expect(await !store.isKnownMissing("key"))
        #expect(await store.entry(for: "key")?.size == ByteCount(3))
        let file = try #require(try await store.open("key"))
        #expect(try await file.read(2, at: 1) == Data([2, 3]))
        let pin = try #require(try await store.pin("key"))
        #expect(try await store.pin("nothing") == nil)
        _ = await store.shrink(by: .gigabytes(1), through: .lastResort)
        #expect(try await store.bytes(for: "key") == [1, 2, 3])
        withExtendedLifetime(pin) {}
        try await store.close()
        let again = try await CacheStore(at: place(directory), options)
        #expect(try await again.bytes(for: "key") == [1, 2, 3])
    }

    @Test func openingWithoutBlockingSaysWhatIsWrong() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let error = await #expect(throws: StorageError.self) {
            _ = try await CacheStore(at: place(directory), CacheOptions(limit: .zero))
        }
        #expect(error?.code == .refused)
    }

    @Test func anAppsStoreIsOpenedWithoutBlocking() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        for name in ["Documents", "Library/Caches", "tmp"] {
            try directory.tree.directory(TreePath(name))
        }
        let storage = try Storage(container: URL(filePath: directory.path.string), owner: "Tests")
        let store = try await storage.cacheStore(named: "Thumbnails", limit: .megabytes(16))
        try await store.put(bytes: [1], for: "key")
        #expect(try await store.bytes(for: "key") == [1])
        let error = await #expect(throws: StorageError.self) {
            _ = try await storage.cacheStore(named: "../x", limit: .megabytes(16))
        }
        #expect(error?.code == .invalidName)
    }
}
