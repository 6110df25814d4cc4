//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R20: keys and values of other types")
struct TypedCacheTests {
    private let directory: TemporaryDirectory
    private let store: CacheStore

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        store = try CacheStore(
            at: URL(filePath: directory.path.appending("store").string),
            CacheOptions(limit: .megabytes(16)))
    }

    /// A letter with an accent is one character, or a letter and an accent: for Swift that is the same.
    @Test func equalKeysAreOneKey() async throws {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one == two && !one.utf8.elementsEqual(two.utf8))
        let cache = TypedCache<String, Int>(in: store, named: "cache")
        try await cache.put(1, for: one)
        let found = try await cache.value(for: two)
        #expect(found == 1)
        let same = TypedCache<String, Int>(in: store, named: "caf\u{e9}")
        try await same.put(2, for: "key")
        let other = TypedCache<String, Int>(in: store, named: "cafe\u{301}")
        let value = try await other.value(for: "key")
        #expect(value == 2)
        #expect("plain/key".cacheKey == "plain/key")
    }

    @Test func aKeyOfOneIsNoneOfAnother() async throws {
        let names = ["a", "a/b", "a%2Fb", "a%252Fb", "", "/"]
        let keys = ["b/c", "c", "/b/c", "%2Fb/c", "/c", ""]
        var number = 0
        for name in names {
            let cache = TypedCache<String, Int>(in: store, named: name)
            for key in keys {
                #expect(!cache.contains(key), "\(name) and \(key)")
                try await cache.put(number, for: key)
                number += 1
            }
        }
        #expect(store.statistics.entries == number)
        // What has been put under plain names is still there.
        #expect(store.contains("a/b/c"))
    }

    @Test func whatCannotBeReadIsMade() async throws {
        let cache = TypedCache<Int, String>(in: store, named: "cache")
        // It is asked what others have put.
        let log = directory.path.appending("store").appending("index.log").string
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        let error = await #expect(throws: StorageError.self) { try await cache.value(for: 1) }
        #expect(error?.code == .io)
        let value = try await cache.value(for: 1) { "made" }
        #expect(value == "made")
    }
}
