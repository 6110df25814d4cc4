//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of Documentation/migration.md.

import Foundation
import Headroom
import HeadroomDownloads

func save(_ jpeg: Data, _ png: Data, to storage: Storage) async throws {
    // snippet.save
    try await storage.save(jpeg, as: .essential(.userContent), named: "Trip/photo.jpg")
    try await storage.save(png, as: .cache, named: "Thumbnails/42.png")
    // snippet.end
}

func ask(_ size: ByteCount, of storage: Storage) async throws {
    // snippet.advise
    guard try await storage.advise(size, for: .optional).mayProceed else { return }
    let available = try await storage.capacity(for: .cache).available.bytes  // nil: unknown, not 0
    // snippet.end
    print(available ?? .zero)
}

func exclude(_ tiles: URL, of storage: Storage) async throws {
    // snippet.exclude
    try await storage.excludeFromBackup(tiles)
    let isExcluded = try await storage.backupExclusion(of: tiles).isExcluded
    // snippet.end
    print(isExcluded)
}

func mark(_ file: URL, _ directory: URL, of storage: Storage) throws {
    // snippet.mark
    try storage.mark(file, .purgeable)
    try storage.mark(directory, .lastResort, .importance(70))
    // snippet.end
}

func get(_ url: URL, with storage: Storage) async throws {
    // snippet.download
    let picture = try await storage.download(url, intent: .optional).file  // nil: declined
    let film = try await storage.download(url, intent: .requested, collection: "Films").file
    // snippet.end
    print(picture?.bytes ?? .zero, film?.bytes ?? .zero)
}

func low(_ storage: Storage, _ size: ByteCount) async throws {
    // snippet.low
    await storage.start()  // at launch: what has expired or is over its limit
    let room = try await storage.makeRoom(for: size, intent: .requested)  // before something large
    // snippet.end
    room.finish()
}

func watch(_ storage: Storage, _ thumbnails: URL) async {
    // snippet.pressure
    for await change in storage.pressure where change.isWorse {
        // Busy if the last one is still at work there.
        _ = try? await storage.cleanUp(thumbnails, toSize: .megabytes(100))
    }
    // snippet.end
}

func clean(_ thumbnails: URL, _ size: ByteCount, of storage: Storage) async throws {
    // snippet.clean
    try await storage.cleanUp(thumbnails, olderThan: .seconds(7 * 86_400), toSize: .mebibytes(500))
    try await storage.cleanUp(thumbnails, beforeAdding: size)  // reserve 200 MB, target 100 MB
    // snippet.end
}

func keep(_ png: Data, of url: URL, in storage: Storage) async throws {
    // snippet.cache
    // Once.
    let thumbnails = try await storage.cacheStore(named: "Thumbnails", limit: .megabytes(100))
    try await thumbnails.put(png, for: url.absoluteString)
    let known = try await thumbnails.data(for: url.absoluteString)
    // snippet.end
    print(known?.count ?? 0)
}

func cleanModules(of storage: Storage) async {
    // snippet.modules
    for await change in storage.pressure where change.isWorse {
        // Busy if they are at work already.
        _ = try? await storage.cleanModules(level: change.level ?? .normal, trigger: .levelChange)
    }
    // snippet.end
}

func measure(_ directory: URL, of storage: Storage) async throws {
    // snippet.size
    let size = try await storage.size(of: directory)
    print("\(size.allocated) on disk, \(size.logical) long, \(size.errors) unreadable")
    // snippet.end
}

func audit(_ storage: Storage) async throws {
    // snippet.audit
    let audit = try await storage.audit()
    print("\(audit.backup.total.allocated) are backed up")
    await storage.repair(audit)  // leaves out what can be had again; moves and deletes nothing
    // snippet.end
}

func directories(_ storage: Storage) async throws {
    // snippet.directory
    let maps = try await storage.purgeableDirectory(
        "Maps", retention: .days(14), limit: .megabytes(500))
    await storage.resetAllPurgeableDirectories()
    // snippet.end
    print(maps.path)
}

func leftovers(_ storage: Storage) async throws {
    // snippet.leftovers
    let plan = try await storage.leftovers()  // deletes nothing
    try await storage.removeLeftovers()
    // snippet.end
    print(plan?.frees ?? .zero)
}

protocol Clearing: Sendable {
    func clear() async throws
}

func tasks(_ thumbnails: some Clearing, of storage: Storage) async throws {
    // snippet.tasks
    storage.registerCleanUpAction("Thumbnails", "clear") { try await thumbnails.clear() }
    for try await step in storage.cleanUp(try Storage.cleanUpTasks()) {
        print(step.phase, step.fraction, step.summary?.freed ?? .zero)
    }
    // snippet.end
}

func choose(_ marked: [Cleanable], of storage: Storage) async throws {
    // snippet.clean-by-hand
    let selection = CleaningSelection(marked)  // from storage.cleanables()
    print(try await storage.preview(selection).freesNow)
    for try await step in storage.clean(selection) { print(step.phase, step.fraction) }
    // snippet.end
}

func dispose(_ films: [URL], of storage: Storage) async throws {
    // snippet.dispose
    let selection = await storage.select(userFiles: films)
    print("\(selection.freesWhenEmptied) once the trash is emptied")
    let receipt = await storage.dispose(of: selection)
    try await storage.undo(receipt)
    // snippet.end
}
