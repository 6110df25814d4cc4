//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Download without bloating backups”.

// snippet.import
import Foundation
import Headroom
import HeadroomDownloads

// snippet.end

func download(_ url: URL, with storage: Storage) async throws {
    // snippet.download
    let result = try await storage.download(url, intent: .requested, collection: "Episodes") {
        print("\($0.received) of \($0.total.map { "\($0)" } ?? "?")")
    }
    switch result {
    case .finished(let file): print("\(file.url.path), \(file.bytes)")
    case .declined(let advice): print("no room: \(advice.verdict)")
    }
    // snippet.end
}

func resume(_ url: URL, with storage: Storage) async throws {
    // snippet.request
    var request = DownloadRequest(url, intent: .essential)
    request.name = "Season 1/12.mp3"
    request.collection = "Episodes"
    request.expected = try SHA256Digest(
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    request.retries = 5
    let file = try await storage.download(request).file
    // snippet.end
    print(file?.resumed ?? .zero)
}

func fetch(_ url: URL, with storage: Storage, play: (URL) -> Void) async throws {
    // snippet.guide
    switch try await storage.download(url, intent: .requested, named: "Episodes/42.mp3") {
    case .finished(let file): play(file.url)
    case .declined(let advice): print("no room: \(advice.verdict)")
    }
    // snippet.end
}

func check(_ file: URL, of storage: Storage) async throws {
    // snippet.exclusion
    switch try await storage.backupExclusion(of: file) {
    case .own: print("it says so itself")
    case .inherited(let directory, _): print("\(directory) says so for all that is in it")
    case .byLocation(let place): print("it lies in \(place.path), which is no place to back up")
    case .none: print("it is backed up")
    }
    // snippet.end
}

func exclude(_ tiles: URL, of storage: Storage) async throws {
    // snippet.exclude
    try await storage.excludeFromBackup(tiles)
    try await storage.includeInBackup(tiles)  // takes back what we have set, and nothing else
    // snippet.end
}
