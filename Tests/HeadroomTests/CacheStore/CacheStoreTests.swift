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

@Suite("R20: cache store of an app")
struct CacheStoreTests {
    private func options() -> CacheOptions { CacheOptions(limit: .megabytes(16)) }

    @Test(arguments: [0, 5, 40_000])
    func whatWasPutIsGivenBack(length: Int) async throws {
        let directory = try TemporaryDirectory()
        let url = URL(filePath: directory.path.appending("images").string)
        let data = Data.pattern(length)
        do {
            let store = try CacheStore(at: url, options())
            try await store.put(data, for: "https://example.com/ä.jpg")
            let found = try await store.data(for: "https://example.com/ä.jpg")
            #expect(found == data)
            let missing = try await store.data(for: "https://example.com/a.jpg")
            #expect(missing == nil)
        }
        let store = try CacheStore(at: url, options())
        #expect(store.contains("https://example.com/ä.jpg"))
        let found = try await store.data(for: "https://example.com/ä.jpg")
        #expect(found == data)
        let wasThere = try await store.remove("https://example.com/ä.jpg")
        #expect(wasThere)
        #expect(!store.contains("https://example.com/ä.jpg"))
        #expect(store.statistics.hits == 1)
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
}
