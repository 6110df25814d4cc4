//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Mark a file purge-as-last-resort”.

import Foundation
import Headroom

func keepOffline(_ mp3: Data, of storage: Storage) async throws {
    // snippet.save
    let episode = try await storage.save(mp3, as: .lastResort, named: "Episodes/12.mp3")
    // snippet.end
    _ = episode
}

func mark(_ episodes: URL, _ episode: URL, of storage: Storage) throws {
    // snippet.mark
    try storage.mark(episode, .lastResort)
    try storage.mark(episodes, .lastResort, .importance(70))  // and all that is in it
    // snippet.end
}

func askBack(_ episode: URL, of storage: Storage) async throws {
    // snippet.explain
    let explanation = try await storage.explain(episode)
    print(explanation.summary)
    if let place = explanation.place {
        print("\(place.position) of \(place.count), after \(place.bytesBefore)")
    }
    // snippet.end
}

func protect(_ episode: URL, of storage: Storage) throws {
    // snippet.pin
    try storage.mark(episode, .pinned)  // a person has tapped “Keep”
    try storage.mark(episode, .unpinned)
    try storage.clearMark(of: episode)  // as if it had never been marked
    // snippet.end
}

func whatWouldGo(from storage: Storage) async throws {
    // snippet.plan
    let plan = try await storage.plan(freeing: .megabytes(200))
    for entry in plan {
        print(entry.purgeClass.spokenName, entry.bytes, entry.path)
    }
    print(plan.reachesTarget ? "enough" : "\(plan.missing) short")
    // snippet.end
}
