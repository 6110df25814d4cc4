//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomDownloads

extension App {
    /// Downloads an episode to where no backup copies it and nothing empties it.
    func get(_ number: Int, _ intent: Storage.Intent) async throws {
        var library = try library()
        let episode = try episode(number, of: library)
        guard let audio = episode.audio else { return }
        let bar = ProgressBar(episode.title)
        let result = try await storage.download(
            audio, intent: intent, collection: Self.collection
        ) { bar.show($0.received, of: $0.total) }
        bar.end()
        switch result {
        case .declined(let advice):
            throw StorageError(
                .insufficientSpace,
                "There is no room for “\(episode.title)”: \(shown(advice.verdict)). "
                    + "Remove an episode, or: podcaster get \(number) --essential")
        case .finished(let file):
            library.episodes[number - 1].fileName = file.url.lastPathComponent
            try await save(library)
            let resumed = file.resumed > .zero ? ", \(file.resumed) of it were here already" : ""
            let standing = intent == .essential ? "essential" : "last resort"
            print("\(episode.title): \(file.bytes), \(standing)\(resumed)")
            print("Next: podcaster why \(number) · podcaster note \(number) TEXT")
        }
    }

    func keep(_ number: Int, _ marking: Storage.Marking) throws {
        try storage.mark(try downloadedFile(number), marking)
        print(marking == .pinned ? "Kept until unkept." : "No longer kept.")
    }

    /// What it is, and when it would go.
    func explain(_ number: Int) async throws {
        let file = try downloadedFile(number)
        let explanation = try await storage.explain(file)
        print(field("File", "~/" + relative(file)))
        print(field("Size", "\(try await storage.size(of: file).allocated)"))
        // The summary has its parts in order of importance.
        for (index, part) in explanation.summary.split(separator: "; ").enumerated() {
            print(field(index == 0 ? "Order" : "", String(part)))
        }
        let exclusion = try await storage.backupExclusion(of: file)
        print(field("Backup", exclusion.isExcluded ? "left out of it" : "in it"))
    }

    /// A person wrote it: essential, shown among their files, and worth everything that can be had
    /// again.
    func note(_ number: Int, _ text: String) async throws {
        let episode = try episode(number, of: try library())
        let name = "Podcaster/\(number) \(episode.title).txt".replacing(":", with: "-")
        let file = storage.directory(for: .essential(.userContent)).appending(path: name)
        // A note that is not there yet begins empty.
        let before = (try? Data(contentsOf: file)) ?? Data()
        let saved = try await storage.save(
            before + Data((text + "\n").utf8), as: .essential(.userContent), named: name,
            durability: .full)
        print("Saved ~/\(relative(saved)) (\(try await storage.size(of: saved).logical))")
    }

    /// Joins the episodes, as an old player wants them. It is known how long it will be: room is
    /// made first, and really taken.
    func mix(into file: URL) async throws {
        let files = try library().episodes.compactMap(file(of:))
        guard !files.isEmpty else { throw UsageError("No episode is here yet.") }
        var length = ByteCount.zero
        for file in files { length += try await storage.size(of: file).logical }
        let room = try await storage.makeRoom(for: length, intent: .requested, at: file)
        if let receipt = room.receipt {
            print(
                "Freed \(receipt.volumeGained ?? receipt.expected) in \(receipt.removedCount) files."
            )
        }
        for file in files { try room.write(try Data(contentsOf: file)) }
        try room.publish()
        print("Joined \(files.count) episodes, \(length)")
    }
}
