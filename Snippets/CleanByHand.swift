//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Clean by hand with progress”.

import Foundation
import Headroom

func list(_ storage: Storage) async {
    // snippet.list
    var sections: [CleaningSection: [Cleanable]] = [:]
    for await update in storage.cleanables() {
        sections[update.section] = update.items
        print(update.section.title, update.allocated, update.isComplete ? "" : "…")
    }
    // snippet.end
}

func preview(_ marked: [Cleanable], of storage: Storage) async throws {
    // snippet.preview
    let selection = CleaningSelection(marked)
    let preview = try await storage.preview(selection)
    print("\(preview.freesNow) now, \(preview.freesLater) once the trash is emptied")
    for kept in preview.kept { print(kept.path, kept.reason.text) }
    // snippet.end
}

func clean(_ selection: CleaningSelection, of storage: Storage) async throws {
    // snippet.clean
    for try await step in storage.clean(selection) {
        print(step.phase, Int(step.fraction * 100), "%", step.cleaned)
        guard let result = step.result else { continue }
        print("\(result.freed) freed, \(result.movedToTrash) in the trash")
        for skipped in result.skipped { print(skipped.path, skipped.reason.text) }
        for failure in result.failures { print(failure.name, failure.message) }
    }
    // snippet.end
}

func undo(_ result: CleaningResult, of storage: Storage) async throws {
    // snippet.undo
    if let disposal = result.disposal {
        let undone = try await storage.undo(disposal)
        print("\(undone.removedCount) are back")
    }
    // snippet.end
}

func deep(_ storage: Storage) async throws {
    // snippet.deep
    let preview = try await storage.preview(.deep)
    print("everything that can be had again: \(preview.freesNow)")
    for try await step in storage.cleanDeeply() { print(step.fraction) }
    // snippet.end
}
