//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Survive a full disk”.

import Foundation
import Headroom

func ask(_ storage: Storage) async throws {
    // snippet.advise
    let advice = try await storage.advise(.gigabytes(2), for: .requested)
    switch advice.verdict {
    case .fits: print("fits")
    case .fitsAfterFreeing(let bytes): print("fits, once \(bytes) of caches have gone")
    case .doesNotFit(let shortBy): print("\(shortBy) short")
    }
    // snippet.end
}

func capacity(_ storage: Storage) async throws {
    // snippet.capacity
    let capacity = try await storage.capacity(for: .lastResort)
    if let important = capacity.forImportantUsage.bytes {
        print("up to \(important), if caches and last resort go")
    }
    // snippet.end
}

func save(_ note: Data, to storage: Storage) async throws {
    // snippet.save
    do {
        try await storage.save(note, as: .essential(.userContent), named: "Notes/today.txt")
    } catch {
        print(error.message)  // what failed, on what, why, and what to do
        if let missing = error.shortBy { print("missing: \(missing)") }
    }
    // snippet.end
}

func export(_ chunks: [Data], to movie: URL, of storage: Storage) async throws {
    // snippet.room
    let room = try await storage.makeRoom(for: .gigabytes(2), intent: .requested, at: movie)
    for chunk in chunks { try room.write(chunk) }
    try room.publish()  // now it stands under its name, whole
    // snippet.end
}

func open() throws -> Storage {
    // snippet.idle
    let storage = try Storage.app(owner: "Podcaster", minIdle: .standard)  // 1 h; caches 10 min
    // snippet.end
    return storage
}

func send(_ movie: Data, with upload: (URL) async throws -> Void, of storage: Storage) async throws
{
    // snippet.temporary
    try await storage.withTemporaryFile(named: "upload.mov") { file in
        try movie.write(to: file)
        try await upload(file)
    }
    // snippet.end
}
