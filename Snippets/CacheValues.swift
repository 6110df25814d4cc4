//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Cache values by key”.

import Foundation
import Headroom

func thumbnail(of url: URL, _ storage: Storage, _ render: () async throws -> Data) async throws {
    // snippet.first
    let thumbnails = try await storage.cacheStore(named: "Thumbnails", limit: .megabytes(200))
    let png = try await thumbnails.data(for: url.absoluteString)
    if png == nil {
        try await thumbnails.put(render(), for: url.absoluteString)
    }
    // snippet.end
}

func attributes(_ cover: Data, _ store: CacheStore) async throws {
    // snippet.attributes
    try await store.put(
        cover, for: "cover/42",
        CacheAttributes(
            as: .lastResort, lifetime: .seconds(30 * 86_400), cost: .milliseconds(800),
            importance: 10, tags: ["feed-7"]))
    try await store.removeAll(tagged: "feed-7")
    // snippet.end
}

struct Episode: Codable {
    var title: String
}

func typed(_ store: CacheStore, _ feed: URL, _ load: () async throws -> Episode) async throws {
    // snippet.typed
    let episodes = TypedCache<URL, Episode>(in: store, named: "episodes-1")
    let episode = try await episodes.value(for: feed) {
        try await load()
    }
    // snippet.end
    print(episode.title)
}

func large(_ store: CacheStore, _ pieces: AsyncThrowingStream<Data, any Error>) async throws {
    // snippet.large
    try await store.put(pieces, for: "video/1")
    if let video = try await store.open("video/1") {
        let bytes = try video.mapped()
        print(bytes.count, video.descriptor)
    }
    // snippet.end
}

func keep(_ store: CacheStore) throws {
    // snippet.pin
    let pin = try store.pin("video/1")
    // snippet.end
    withExtendedLifetime(pin) {}
}

func memory(_ store: CacheStore) {
    // snippet.memory
    store.shrink(by: .zero)
    let statistics = store.statistics
    print(statistics.hits, statistics.misses, statistics.evictions, statistics.allocated)
    // snippet.end
}
