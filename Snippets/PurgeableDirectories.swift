//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “A directory that looks after itself”.

import Foundation
import Headroom

func register(_ storage: Storage) async throws {
    // snippet.register
    let maps = try await storage.purgeableDirectory(
        "OfflineMaps", retention: .days(14), limit: .megabytes(500))
    // snippet.end
    print(maps.path)
}

func elsewhere(_ storage: Storage) async throws {
    // snippet.elsewhere
    let appData = storage.directory(for: .essential(.appData))
    let renders = try await storage.purgeableDirectory(
        at: appData.appending(path: "Renders"), retention: .days(3))
    // snippet.end
    print(renders.path)
}

func options(_ storage: Storage) async throws {
    // snippet.options
    var options = PurgeableDirectoryOptions()
    options.ageBasis = .used
    options.order = .leastRecentlyUsed
    options.trimPercent = 80
    options.unit = .entry
    let previews = try await storage.purgeableDirectory(
        "Previews", retention: .days(30), limit: .gigabytes(2), options: options)
    // snippet.end
    print(previews.path)
}

func check(_ storage: Storage) async {
    // snippet.check
    let checks = await storage.checkPurgeableDirectories()
    for check in checks.directories {
        let path = check.registration.area.root
        print(path, check.usage ?? .zero, check.freed, check.problem?.text ?? "")
    }
    // snippet.end
}

func reset(_ maps: URL, of storage: Storage) async throws {
    // snippet.reset
    try await storage.resetPurgeableDirectory(at: maps)  // empty, and registered as before
    await storage.resetAllPurgeableDirectories()
    try await storage.removePurgeableDirectory(at: maps)  // its content stays
    // snippet.end
}

func keep(_ map: URL, of storage: Storage) throws {
    // snippet.keep
    try storage.mark(map, .pinned)
    // snippet.end
}
