//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
package import HeadroomEngine
package import HeadroomPlatform

/// What the screen of `headroom clean` knows, and what each key makes of it. Draws nothing and touches
/// nothing: see ``CleanScreen`` and ``CleanSession``.
package struct CleanModel: Sendable {
    package var sections: [CleaningUpdate]
    package var now: Timestamp
    /// How many files the search has looked at.
    package var filesSeen = 0
    package var columns = 80
    package var rows = 24
    package private(set) var section = 0
    package private(set) var focus = Focus.sections
    package private(set) var sort = Sort.size
    package private(set) var chosen: [String: Cleanable] = [:]
    package var mode = Mode.browsing
    /// Said above the last two lines, until the next key.
    package var message: String?
    /// The last cleaning that can be undone.
    package var undoable: CleaningResult?
    private var hasCleaned = false
    /// When a tool's own command was begun.
    package var runningSince: Timestamp?
    /// By section: the item under the cursor, and the first one that is shown.
    private var cursors: [Int: Int] = [:]
    private var offsets: [Int: Int] = [:]

    package enum Focus: Hashable, Sendable { case sections, items }

    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case size, age, name
    }

    package enum Mode: Hashable, Sendable {
        case browsing
        case help
        /// What would be freed; nil while it is worked out. Asks whether to do it.
        case preview(CleaningPreview?, isConfirming: Bool)
        case cleaning
        case result(CleaningResult)
        /// What has been moved to the trash is being brought back.
        case undoing
        /// What an item's own tool would be told; nil while that is found out. Asks whether to do it.
        case command(Cleanable, CleaningCommand?)
        /// The tool is at it.
        case running(Cleanable, CleaningCommand)
        case ran(CatalogueCleaning)
    }

    /// What a key asks for beyond the screen.
    package enum Effect: Hashable, Sendable {
        case preview(CleaningSelection)
        case clean(CleaningSelection)
        case cancel
        case undo(CleaningResult)
        case findCommand(Cleanable)
        case run(Cleanable)
        case suspend
        case redraw
        case quit
    }

    package init(now: Timestamp) {
        self.now = now
        sections = CleaningSection.all.filter { $0 != .moduleCaches }.map {
            CleaningUpdate(section: $0, items: [], isComplete: false)
        }
    }

    // MARK: - What is known

    package mutating func receive(_ update: CleaningUpdate) {
        guard let index = sections.firstIndex(where: { $0.section == update.section }) else {
            return
        }
        let known = cursorItem(of: index)?.id
        sections[index] = update
        for item in update.items where chosen[item.id] != nil { chosen[item.id] = item }
        // What is not there any more is not chosen either.
        let ids = Set(update.items.map(\.id))
        if update.isComplete {
            chosen = chosen.filter { $0.value.section != update.section || ids.contains($0.key) }
        }
        // The cursor stays on what it is on.
        if let known, let place = items(of: index).firstIndex(where: { $0.id == known }) {
            cursors[index] = place
        }
        clampCursor(index)
    }

    package var isComplete: Bool { sections.allSatisfy(\.isComplete) }

    package var selection: CleaningSelection {
        CleaningSelection(chosen.values.sorted { $0.id < $1.id })
    }

    package var chosenBytes: ByteCount {
        chosen.values.reduce(.zero) { $0 + ($1.allocated ?? .zero) }
    }

    package func chosenCount(in index: Int) -> Int {
        chosen.values.count { $0.section == sections[index].section }
    }

    /// The items of a section in the order that is shown.
    package func items(of index: Int) -> [Cleanable] {
        switch sort {
        case .size: return sections[index].items
        case .age:
            return sections[index].items.sorted {
                ($0.lastUse?.nanoseconds ?? .max, $0.id) < ($1.lastUse?.nanoseconds ?? .max, $1.id)
            }
        case .name: return sections[index].items.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    package var cursor: Int { cursors[section] ?? 0 }

    package var cursorItem: Cleanable? { cursorItem(of: section) }

    private func cursorItem(of index: Int) -> Cleanable? {
        let items = items(of: index)
        let cursor = cursors[index] ?? 0
        return items.indices.contains(cursor) ? items[cursor] : nil
    }

    /// The first item that is shown, such that the cursor is seen in so many lines.
    package func firstShown(lines: Int) -> Int {
        let offset = offsets[section] ?? 0
        if cursor < offset { return cursor }
        return max(offset, cursor - max(0, lines - 1))
    }

    /// How many items fit below each other.
    package var page: Int { max(1, rows - 5) }

    /// Whether there is room to show anything.
    package var isShown: Bool { columns >= Self.leastColumns && rows >= Self.leastRows }

    package static let leastColumns = 30
    package static let leastRows = 8

    // MARK: - Keys

    package mutating func handle(_ key: CleanKey) -> Effect? {
        message = nil
        switch key {
        case .suspend: return .suspend
        case .redraw: return .redraw
        default: break
        }
        // Nobody agrees to what cannot be read.
        if !isShown, ![.interrupt, .escape, .letter("q")].contains(key) { return nil }
        switch mode {
        case .browsing: return browse(key)
        case .help:
            if key == .interrupt { return .quit }
            mode = .browsing
            return nil
        case .preview(let preview, _): return decide(key, preview)
        case .cleaning: return stop(key, "Stopping after this item …")
        case .running(let item, _): return stop(key, "Telling \(item.name)'s tool to stop …")
        case .undoing:
            message = "Bringing it back: a moment."
            return nil
        case .result: return leave(key)
        case .command(let item, let command): return decide(key, item, command)
        case .ran:
            if key == .interrupt || key == .letter("q") { return .quit }
            mode = .browsing
            return nil
        }
    }

    /// Whether something is under way that has to come to an end before anything else begins.
    package var isBusy: Bool {
        switch mode {
        case .cleaning, .undoing, .running: true
        default: false
        }
    }

    private mutating func stop(_ key: CleanKey, _ words: String) -> Effect? {
        switch key {
        case .interrupt, .escape, .letter("q"):
            message = words
            return .cancel
        case .letter("u"):
            message = "Not yet: esc stops it, and when it has ended u brings back what it moved."
        default: message = "It is under way: esc stops it."
        }
        return nil
    }

    private mutating func decide(
        _ key: CleanKey, _ item: Cleanable, _ command: CleaningCommand?
    ) -> Effect? {
        switch key {
        case .interrupt: return .quit
        case .enter, .letter("c"), .letter("y"):
            guard let command else { return nil }
            mode = .running(item, command)
            return .run(item)
        case .escape, .letter("q"), .letter("n"), .left, .letter("h"): mode = .browsing
        default: break
        }
        return nil
    }

    private mutating func browse(_ key: CleanKey) -> Effect? {
        switch key {
        case .interrupt, .letter("q"): return .quit
        case .up, .letter("k"): move(by: -1)
        case .down, .letter("j"): move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .home, .letter("g"): move(by: .min / 2)
        case .end, .letter("G"): move(by: .max / 2)
        case .left, .letter("h"), .escape: focus = .sections
        case .right, .letter("l"):
            if !sections[section].items.isEmpty { focus = .items }
        case .tab:
            focus = focus == .sections && !sections[section].items.isEmpty ? .items : .sections
        case .space: return mark()
        case .letter("a"): markAll()
        case .letter("n"): chosen = [:]
        case .letter("s"):
            let all = Sort.allCases
            sort = all[((all.firstIndex(of: sort) ?? 0) + 1) % all.count]
            cursors[section] = 0
            offsets[section] = 0
            message = "Sorted by \(sort.rawValue)."
        case .letter("p"): return ask(isConfirming: false)
        case .enter, .letter("c"):
            if key == .enter, focus == .sections, chosen.isEmpty {
                focus = sections[section].items.isEmpty ? .sections : .items
                return nil
            }
            if key == .enter, focus == .items, chosen.isEmpty, let item = cursorItem,
                !item.isSelectable
            {
                return find(item)
            }
            return ask(isConfirming: true)
        case .letter("u"): return undo()
        case .letter("?"): mode = .help
        default: break
        }
        return nil
    }

    private mutating func ask(isConfirming: Bool) -> Effect? {
        guard !chosen.isEmpty else {
            message = "Nothing is marked. Space marks what is under the cursor."
            return nil
        }
        mode = .preview(nil, isConfirming: isConfirming)
        return .preview(selection)
    }

    private mutating func decide(_ key: CleanKey, _ preview: CleaningPreview?) -> Effect? {
        switch key {
        case .interrupt: return .quit
        case .enter, .letter("c"), .letter("y"):
            // Only what has been seen is agreed to.
            guard preview != nil else { return nil }
            mode = .cleaning
            return .clean(selection)
        case .escape, .letter("q"), .letter("n"), .letter("p"), .left, .letter("h"):
            mode = .browsing
        default: break
        }
        return nil
    }

    private mutating func leave(_ key: CleanKey) -> Effect? {
        switch key {
        case .interrupt, .letter("q"): return .quit
        case .letter("u"): return undo()
        default: mode = .browsing
        }
        return nil
    }

    private mutating func undo() -> Effect? {
        guard let undoable else {
            message =
                hasCleaned
                ? "Nothing to undo: what could be made again is gone for good."
                : "Nothing to undo: nothing was moved to the trash from here."
            return nil
        }
        mode = .undoing
        return .undo(undoable)
    }

    /// What is only cleaned by its own tool is asked about by itself.
    private mutating func find(_ item: Cleanable) -> Effect? {
        mode = .command(item, nil)
        return .findCommand(item)
    }

    // MARK: - Moving and marking

    private mutating func move(by step: Int) {
        if focus == .sections {
            section = min(max(0, section + min(max(step, -1000), 1000)), sections.count - 1)
            return
        }
        let count = sections[section].items.count
        guard count > 0 else { return }
        let (target, overflow) = cursor.addingReportingOverflow(step)
        cursors[section] = overflow ? (step < 0 ? 0 : count - 1) : min(max(0, target), count - 1)
        offsets[section] = firstShown(lines: page)
    }

    private mutating func clampCursor(_ index: Int) {
        let count = sections[index].items.count
        cursors[index] = min(cursors[index] ?? 0, max(0, count - 1))
        if index == section { offsets[index] = firstShown(lines: page) }
        if count == 0, index == section { focus = .sections }
    }

    private mutating func mark() -> Effect? {
        guard focus == .items else {
            markAll()
            return nil
        }
        guard let item = cursorItem else { return nil }
        guard item.isSelectable else { return find(item) }
        if chosen.removeValue(forKey: item.id) == nil { chosen[item.id] = item }
        move(by: 1)
        return nil
    }

    /// All of a section, or none if all are.
    private mutating func markAll() {
        let items = sections[section].items.filter(\.isSelectable)
        guard !items.isEmpty else {
            message = "There is nothing to mark here."
            return
        }
        if items.allSatisfy({ chosen[$0.id] != nil }) {
            for item in items { chosen[item.id] = nil }
        } else {
            for item in items { chosen[item.id] = item }
        }
    }

    /// What was cleaned is not chosen any more.
    package mutating func finish(_ result: CleaningResult) {
        chosen = [:]
        hasCleaned = true
        undoable = (result.disposal?.removedCount ?? 0) > 0 ? result : nil
        message = nil
        mode = .result(result)
    }

    /// What was brought back cannot be brought back again.
    package mutating func finishUndo(_ receipt: Receipt) {
        mode = .browsing
        undoable = receipt.skippedCount > 0 ? undoable : nil
        message =
            "Brought back \(receipt.removedCount.counted("item"))"
            + (receipt.skippedCount > 0
                ? ", \(receipt.skippedCount) not: \(receipt.skipped.first?.reason.text ?? "")"
                : ".")
    }
}
