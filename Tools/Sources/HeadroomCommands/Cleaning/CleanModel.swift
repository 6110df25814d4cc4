//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform

/// What the screen of `headroom clean` knows, and what each key makes of it. Draws nothing and touches
/// nothing: see ``CleanScreen`` and ``CleanSession``.
package struct CleanModel: Sendable {
    package var sections: [CleaningUpdate]
    package var now: Timestamp
    package var columns = 80
    package var rows = 24
    package private(set) var section = 0
    package private(set) var focus = Focus.sections
    package private(set) var sort = Sort.size
    package private(set) var chosen: [String: Cleanable] = [:]
    package var mode = Mode.browsing
    /// Said in the last line but one, until the next key.
    package var message: String?
    /// The last cleaning that can be undone.
    package var undoable: CleaningResult?
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
    }

    /// What a key asks for beyond the screen.
    package enum Effect: Hashable, Sendable {
        case preview(CleaningSelection)
        case clean(CleaningSelection)
        case cancel
        case undo(CleaningResult)
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
    package var page: Int { max(1, rows - 6) }

    // MARK: - Keys

    package mutating func handle(_ key: CleanKey) -> Effect? {
        message = nil
        switch key {
        case .suspend: return .suspend
        case .redraw: return .redraw
        default: break
        }
        switch mode {
        case .browsing: return browse(key)
        case .help:
            if key == .interrupt { return .quit }
            mode = .browsing
            return nil
        case .preview(let preview, _): return decide(key, preview)
        case .cleaning:
            guard key == .interrupt || key == .escape || key == .letter("q") else { return nil }
            message = "Stopping after this item …"
            return .cancel
        case .result(let result): return leave(key, result)
        }
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
        case .tab: focus = focus == .sections ? .items : .sections
        case .space: mark()
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
                focus = .items
                return nil
            }
            return ask(isConfirming: true)
        case .letter("u"):
            guard let undoable else {
                message = "There is nothing to undo: what could be made again is gone for good."
                return nil
            }
            return .undo(undoable)
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

    private mutating func leave(_ key: CleanKey, _ result: CleaningResult) -> Effect? {
        switch key {
        case .interrupt, .letter("q"): return .quit
        case .letter("u"):
            guard undoable != nil else {
                message = "There is nothing to undo: what could be made again is gone for good."
                return nil
            }
            return .undo(result)
        default: mode = .browsing
        }
        return nil
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

    private mutating func mark() {
        guard focus == .items else { return markAll() }
        guard let item = cursorItem else { return }
        guard item.isSelectable else {
            message = "Only its own tool cleans it: \(item.note)"
            return
        }
        if chosen.removeValue(forKey: item.id) == nil { chosen[item.id] = item }
        move(by: 1)
    }

    /// All of a section, or none if all are.
    private mutating func markAll() {
        let items = sections[section].items.filter(\.isSelectable)
        if items.allSatisfy({ chosen[$0.id] != nil }) {
            for item in items { chosen[item.id] = nil }
        } else {
            for item in items { chosen[item.id] = item }
        }
    }

    /// What was cleaned is not chosen any more.
    package mutating func finish(_ result: CleaningResult) {
        chosen = [:]
        undoable = (result.disposal?.removedCount ?? 0) > 0 ? result : nil
        mode = .result(result)
    }
}
