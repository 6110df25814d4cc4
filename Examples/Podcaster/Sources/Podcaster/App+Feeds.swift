//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomDownloads

extension App {
    /// Reads a feed. It and its pictures can be had again at any time: optional, and so cache.
    func subscribe(to url: URL) async throws {
        guard let data = try await fetch(url) else { return }
        guard let feed = Feed(rss: data) else {
            throw StorageError(.corrupt, "\(url) is no feed: RSS was expected.")
        }
        var library = try library()
        var pictures = 0
        var known: [URL?: Episode] = [:]
        for episode in library.episodes { known[episode.audio] = episode }
        library.title = feed.title
        library.feed = url
        library.episodes = feed.episodes.map { episode in
            var episode = episode
            episode.fileName = known[episode.audio]?.fileName
            episode.pictureName = known[episode.audio]?.pictureName
            episode.coverName = known[episode.audio]?.coverName
            return episode
        }
        for index in library.episodes.indices {
            guard let picture = library.episodes[index].picture else { continue }
            let result = try? await storage.download(  // an episode is no worse without a picture
                picture, intent: .optional, collection: Self.pictures)
            guard let file = result?.file else { continue }
            library.episodes[index].pictureName = file.url.lastPathComponent
            pictures += 1
        }
        try await save(library)
        print("\(library.title): \(library.episodes.count) episodes, \(pictures) pictures as cache")
        print("Next: podcaster list · podcaster get 1")
    }

    private func fetch(_ url: URL) async throws -> Data? {
        switch try await storage.download(url, intent: .optional, collection: "Feeds") {
        case .finished(let file): return try Data(contentsOf: file.url)
        case .declined(let advice):
            throw StorageError(
                .insufficientSpace, "There is no room for the feed: \(shown(advice.verdict)).")
        }
    }

    func list() async throws {
        let library = try library()
        guard !library.episodes.isEmpty else {
            print("Nothing yet. Next: podcaster subscribe URL")
            return
        }
        print(library.title)
        for (index, episode) in library.episodes.enumerated() {
            var state = "not here"
            if let file = file(of: episode) {
                let mark = try storage.mark(of: file)
                let size = try await storage.size(of: file).allocated
                state = "\(size)  \(standing(mark))"
            }
            print(row(index + 1, episode.title, state))
        }
        print("Next: podcaster get N · podcaster why N")
    }

    /// What a mark says about an episode.
    private func standing(_ mark: Storage.Mark) -> String {
        if mark.isPinned == true { return "kept" }
        return mark.purgeClass == .lastResort ? "last resort" : "essential"
    }
}
