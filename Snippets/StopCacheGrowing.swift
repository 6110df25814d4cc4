//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Stop your cache from growing”.

import Foundation
import Headroom

func limit(_ storage: Storage, _ png: Data) async throws {
    // snippet.limit
    let thumbnails = try await storage.purgeableDirectory(
        "Thumbnails", retention: .days(30), limit: .megabytes(200))
    try await storage.save(png, as: .cache, named: "Thumbnails/42.png")
    // snippet.end
    print(thumbnails.path)
}

func launch(_ storage: Storage) async {
    // snippet.start
    let launch = await storage.start(version: "2.1", interval: .seconds(86_400))
    print("\(launch.freed) freed, \(launch.directories.freed) of it in directories")
    // snippet.end
}

func once(_ thumbnails: URL, of storage: Storage) async throws {
    // snippet.clean
    let report = try await storage.cleanUp(
        thumbnails, olderThan: .seconds(7 * 86_400), toSize: .megabytes(500), keepNewest: 20)
    print("\(report.freed) of \(report.before), \(report.removed) files")
    // snippet.end
}

func add(_ tiles: Data, to maps: URL, of storage: Storage) async throws {
    // snippet.before
    try await storage.cleanUp(
        maps, beforeAdding: ByteCount(Int64(tiles.count)), reserve: .megabytes(200),
        target: .megabytes(100))
    try await storage.save(tiles, as: .cache, named: "Maps/12.tiles")
    // snippet.end
}

func room(_ size: ByteCount, of storage: Storage) async throws {
    // snippet.room
    let advice = try await storage.advise(size, for: .optional)
    guard advice.mayProceed else { return }  // do without it
    let room = try await storage.makeRoom(for: size, intent: .optional)
    // snippet.end
    room.finish()
}

/// Stands for what an app has.
struct TileStore: Sendable {
    var size: ByteCount { get async throws { .megabytes(240) } }
    func removeOldest(_ bytes: ByteCount) async throws {}
}

// snippet.module
struct MapTiles: StorageModule {
    let id = "map-tiles"
    let displayName = "Map tiles"
    let quota: ByteCount? = .megabytes(200)
    let tiles: TileStore

    func usage() async throws -> ByteCount { try await tiles.size }

    func clean(_ request: CleaningRequest) async throws {
        try await tiles.removeOldest(request.bytesWanted)
    }
}
// snippet.end

func modules(_ tiles: TileStore, of storage: Storage) async throws {
    // snippet.register
    storage.register(MapTiles(tiles: tiles))
    for module in try await storage.cleanModules().modules {
        print(module)  // Map tiles: freed 40.0 MB, 200 MB of 200 MB in use
    }
    // snippet.end
}
