//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

/// What the person is subscribed to, and what is here of it.
struct Library: Codable {
    var title = ""
    var feed: URL?
    var episodes: [Episode] = []
}

extension App {
    private static let libraryName = "library.json"
    /// The directories of episodes and pictures.
    static let collection = "Episodes"
    static let pictures = "Thumbnails"

    var pictureDirectory: URL {
        storage.directory(for: .cache).appending(path: "Downloads/\(Self.pictures)")
    }

    /// Reads the library; an empty one if there is none yet.
    func library() throws -> Library {
        let file = storage.directory(for: .essential(.appData)).appending(path: Self.libraryName)
        guard FileManager.default.fileExists(atPath: file.path) else { return Library() }
        return try JSONDecoder().decode(Library.self, from: try Data(contentsOf: file))
    }

    /// Without it nobody would know which file is which: essential, and on disk when this returns.
    func save(_ library: Library) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try await storage.save(
            try encoder.encode(library), as: .essential(.appData), named: Self.libraryName,
            durability: .full)
    }

    func episode(_ number: Int, of library: Library) throws -> Episode {
        guard library.episodes.indices.contains(number - 1) else {
            throw UsageError("There is no episode \(number). `podcaster list` shows them.")
        }
        return library.episodes[number - 1]
    }

    /// Where an episode is. Names are kept, not paths: a container moves at every update of an app.
    func file(of episode: Episode) -> URL? {
        guard let name = episode.fileName else { return nil }
        let file = storage.directory(for: .essential(.appData))
            .appending(path: "\(Self.collection)/\(name)")
        // It may have gone when nothing else was left to go.
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    func downloadedFile(_ number: Int) throws -> URL {
        let episode = try episode(number, of: try library())
        guard let file = file(of: episode) else {
            throw UsageError("Episode \(number) is not here. `podcaster get \(number)` fetches it.")
        }
        return file
    }
}
