//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

struct Thumbnails: Sendable {
    func clear() async throws {}
}

struct Conversation: Sendable {
    func compact() async throws {}
}

func register(compactionOf conversations: [Conversation], with storage: Storage) {
    // snippet.progress
    storage.registerCleanUpAction("Messages", "compact", usually: .seconds(20)) { progress in
        for (number, conversation) in conversations.enumerated() {
            try await conversation.compact()
            progress.report(Double(number + 1) / Double(conversations.count))
        }
    }
    // snippet.end
}

func register(_ thumbnails: Thumbnails, with storage: Storage) {
    // snippet.register
    storage.registerCleanUpAction("Thumbnails", "clear") { try await thumbnails.clear() }
    // snippet.end
}

func check(_ storage: Storage) async throws {
    // snippet.check
    let tasks = try Storage.cleanUpTasks()  // PurgeableCache.plist in the main bundle
    for problem in await storage.check(tasks) { print(problem.message) }
    // snippet.end
}

func cleanUp(_ tasks: CleanUpTaskList, of storage: Storage) async throws {
    // snippet.run
    for try await step in storage.cleanUp(tasks) {
        print(step.phase, Int(step.fraction * 100), "%")
        guard let summary = step.summary else { continue }
        print("\(summary.freed) freed; the volume gained \(summary.volumeGained ?? .zero)")
        for problem in summary.problems { print(problem.message) }
    }
    // snippet.end
}

@MainActor func show(_ tasks: CleanUpTaskList, of storage: Storage, on bar: ProgressBar)
    async throws
{
    // snippet.callback
    let summary = try await storage.cleanUp(tasks) { step in
        bar.value = step.fraction  // on the main actor
    }
    bar.text = "\(summary.freed) freed"
    // snippet.end
}

@MainActor final class ProgressBar {
    var value = 0.0
    var text = ""
}
