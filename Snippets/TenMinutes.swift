//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the README and the first page of the documentation show; Scripts/check-client runs it in a
// package of its own.

import Foundation
// snippet.save
import Headroom

// snippet.hide
// In a function, since at the top level Swift 6.3 takes the blocking one of two forms.
func tenMinutes(_ jpeg: Data, _ png: Data, _ mp3: Data) async throws {
    // snippet.show
    let storage = try Storage.app(owner: "Podcaster")
    await storage.start()  // removes what a crash has left behind

    // Where it goes follows from what it is.
    let photo = try await storage.save(jpeg, as: .essential(.userContent), named: "Trip/photo.jpg")
    let thumbnail = try await storage.save(png, as: .cache, named: "Thumbnails/42.png")
    let episode = try await storage.save(mp3, as: .essential(.appData), named: "Episodes/12.mp3")

    // Keep this one until there is really nothing else to give.
    try storage.mark(episode, .lastResort)
    print(try await storage.explain(episode).summary)

    // Room before a download or an export begins; with `at:` its blocks are taken.
    let room = try await storage.makeRoom(for: .megabytes(5), intent: .requested)
    let size = try await storage.size(of: photo)
    print("reserved \(room.bytes); the photo takes \(size.allocated)")
    room.finish()
    // snippet.end
    _ = thumbnail
}

let data = Data(repeating: 0xD8, count: 2_000_000)
try await tenMinutes(data, data.prefix(50_000), data)
