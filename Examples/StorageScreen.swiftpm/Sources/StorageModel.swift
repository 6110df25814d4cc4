//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import Observation

/// What the storage screen shows, and what it does.
@MainActor
@Observable
final class StorageModel {
    /// The sections that have something in them.
    private(set) var sections: [CleaningUpdate] = []
    private(set) var capacity: VolumeCapacity?
    /// How far a cleaning has come; nil: none is under way.
    private(set) var progress: Double?
    private(set) var message: String?
    /// What would be freed, and what after the trash is emptied.
    private(set) var preview: CleaningPreview?
    var selected: Set<String> = [] {
        didSet { Task { await lookAhead() } }  // Ends by itself; a later one overwrites it.
    }

    private let storage: Storage

    init(_ storage: Storage) {
        self.storage = storage
    }

    var selection: CleaningSelection {
        CleaningSelection(sections.flatMap(\.items).filter { selected.contains($0.id) })
    }

    func load() async {
        do {
            capacity = try await storage.capacity()
        } catch {
            message = error.message
        }
        for await update in storage.cleanables() {
            sections.removeAll { $0.section == update.section }
            if !update.items.isEmpty { sections.append(update) }
            sections.sort { position($0.section) < position($1.section) }
        }
    }

    func clean() async { await follow(storage.clean(selection)) }

    func cleanDeeply() async { await follow(storage.cleanDeeply()) }

    private func follow(_ run: CleaningRun) async {
        progress = 0
        defer { progress = nil }
        do {
            for try await step in run {
                progress = step.fraction
                guard let result = step.result else { continue }
                message =
                    "Freed \(result.freed)"
                    + (result.skipped.isEmpty ? "" : ", \(result.skipped.count) left alone")
            }
        } catch {
            message = "\(error)"
        }
        selected = []
        await load()
    }

    private func lookAhead() async {
        let wanted = selected
        guard !wanted.isEmpty else {
            preview = nil
            return
        }
        do {
            let found = try await storage.preview(selection)
            if selected == wanted { preview = found }
        } catch {
            message = error.message
        }
    }

    private func position(_ section: CleaningSection) -> Int {
        CleaningSection.all.firstIndex(of: section) ?? 0
    }
}
