//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCommandLine
package import HeadroomEngine
package import HeadroomPlatform

/// Draws a ``CleanModel``: a line of text for each row of the terminal, none of them wider than it.
package struct CleanScreen {
    let model: CleanModel
    /// How far a running cleaning has come.
    private let progress: Progress?
    private let renderer: TextRenderer

    package struct Progress: Hashable, Sendable {
        package var phase: CleaningProgress.Phase
        package var fraction: Double
        package var cleaned: ByteCount
        package var path: String

        package init(
            phase: CleaningProgress.Phase, fraction: Double, cleaned: ByteCount, path: String
        ) {
            self.phase = phase
            self.fraction = fraction
            self.cleaned = cleaned
            self.path = path
        }
    }

    package init(_ model: CleanModel, progress: Progress? = nil, usesBlocks: Bool = true) {
        self.model = model
        self.progress = progress
        renderer = TextRenderer(
            width: model.columns, usesColor: false, drawsBars: true, showsNext: false,
            usesBlocks: usesBlocks)
    }

    /// A row, and whether it is the one under the cursor.
    package struct Line: Hashable, Sendable {
        package var text: StyledText
        package var isHighlighted = false
    }

    package var lines: [Line] {
        guard model.isShown else { return fill(tooSmall) }
        var lines = [Line(text: title), Line(text: "")]
        switch model.mode {
        case .help: lines += CleanHelp.lines.map { Line(text: $0) }
        case .preview(let preview, let isConfirming):
            lines += previewLines(preview, isConfirming).map { Line(text: $0) }
        case .result(let result): lines += resultLines(result).map { Line(text: $0) }
        case .command(let item, let command):
            lines += commandLines(item, command, isRunning: false).map { Line(text: $0) }
        case .running(let item, let command):
            lines += commandLines(item, command, isRunning: true).map { Line(text: $0) }
        case .ran(let outcome): lines += outcomeLines(outcome).map { Line(text: $0) }
        case .browsing, .cleaning, .undoing:
            lines += panes
        }
        lines = Array(fill(lines).prefix(model.rows - 3))
        let message = model.message.map { StyledText($0, .warning) } ?? ""
        let bottom = [Line(text: message), Line(text: status), Line(text: keys)].map(cut)
        return (lines + bottom).map(plain)
    }

    /// Short lines, the most important first.
    private var tooSmall: [Line] {
        [
            "Too small: \(CleanModel.leastColumns) by \(CleanModel.leastRows)",
            "are needed.", model.isBusy ? "esc stops" : "q quits",
        ].map { Line(text: StyledText($0)) }
    }

    /// Where the terminal has but ASCII, so has what is drawn.
    private func plain(_ line: Line) -> Line {
        guard !renderer.usesBlocks else { return line }
        var line = line
        for index in line.text.runs.indices {
            line.text.runs[index].text = String(
                line.text.runs[index].text.map { Self.plainSigns[$0] ?? $0 })
        }
        return line
    }

    /// Each as wide as what it stands for.
    private static let plainSigns: [Character: Character] = ["│": "|", "›": ">", "…": "~"]

    private func fill(_ lines: [Line]) -> [Line] {
        let missing = max(0, model.rows - lines.count)
        return (lines + Array(repeating: Line(text: ""), count: missing)).prefix(model.rows)
            .map(cut)
    }

    private func cut(_ line: Line) -> Line {
        Line(text: line.text.truncatedTail(to: model.columns), isHighlighted: line.isHighlighted)
    }

    // MARK: - Title and status

    private var title: StyledText {
        let bytes = model.sections.reduce(ByteCount.zero) { $0 + $1.allocated }
        let seen = model.filesSeen > 0 ? " (\(model.filesSeen.counted("file")))" : ""
        let state = model.isComplete ? "" : " so far, looking …\(seen)"
        let place =
            !isWide && model.focus == .items
            ? StyledText(" › \(model.sections[model.section].section.title)") : StyledText("")
        return StyledText("Clean", .strong) + place + StyledText("   \(bytes)\(state)", .faint)
    }

    private var status: StyledText {
        if model.mode == .undoing { return StyledText("Bringing back what was moved …", .good) }
        if case .running = model.mode {
            let passed = model.now.duration(since: model.runningSince ?? model.now)
            return StyledText("Running for \(max(0, passed.components.seconds)) s", .good)
        }
        if model.mode == .cleaning, let progress {
            let bar = renderer.bar(progress.fraction, width: model.columns >= 100 ? 30 : 20, .good)
            let percent = Int((progress.fraction * 100).rounded(.down))
            return bar + StyledText(" \(percent) % \(progress.phase.words) \(progress.cleaned)  ")
                + StyledText(progress.path, .faint)
        }
        guard !model.chosen.isEmpty else { return StyledText("Nothing marked", .faint) }
        let marked = model.chosen.count.counted("item")
        return StyledText("Marked: \(marked), \(model.chosenBytes)", .good)
            + StyledText("  p shows what that would really free", .faint)
    }

    private var keys: StyledText {
        StyledText(KeyHints.line(for: model, width: model.columns), .faint)
    }

    // MARK: - Sections and items

    private var isWide: Bool { model.columns >= 64 }

    /// Beside each other, or where that is too narrow the one that has the keys.
    private var panes: [Line] {
        let height = model.page
        guard isWide else {
            return model.focus == .sections
                ? sectionLines(model.columns, height) : itemLines(model.columns, height)
        }
        let left = min(40, max(32, model.columns / 4))
        let right = model.columns - left - 3
        let sections = sectionLines(left, height)
        let items = itemLines(right, height)
        var lines: [Line] = []
        for row in 0..<max(sections.count, items.count) {
            var text = StyledText("")
            let section = row < sections.count ? sections[row] : nil
            let item = row < items.count ? items[row] : nil
            text += (section?.text ?? "").padded(to: left)
            text += StyledText(" │ ", .faint)
            text += item?.text ?? ""
            lines.append(Line(text: text, isHighlighted: false))
        }
        return lines
    }

    private func sectionLines(_ width: Int, _ height: Int) -> [Line] {
        let most = model.sections.map(\.allocated.bytes).max() ?? 0
        let barWidth = width >= 38 ? 10 : 5
        // Where not all fit, the current one is among those that do.
        let first = max(0, min(model.section - height / 2, model.sections.count - height))
        return model.sections.enumerated().dropFirst(first).prefix(height).map { index, update in
            let isCurrent = index == model.section
            let hasKeys = isCurrent && model.focus == .sections
            let count = model.chosenCount(in: index)
            let size = update.isComplete || !update.items.isEmpty ? update.allocated.tabular : "…"
            let share = Double(update.allocated.bytes) / Double(max(1, most))
            let name = (count > 0 ? "*" : " ") + update.section.title
            let room = width - barWidth - 12
            let lead = StyledText(isCurrent ? ">" : " ", hasKeys ? .selected : .plain)
            let style: Style = hasKeys ? .selected : isCurrent ? .strong : .plain
            let words = name.truncatedTail(to: room).padded(to: room, alignment: .left)
            return Line(
                text: lead + StyledText(words, style)
                    + StyledText(size.padded(to: 9, alignment: .right) + "  ", style)
                    + renderer.bar(share, width: barWidth, update.section.style))
        }
    }

    private func itemLines(_ width: Int, _ height: Int) -> [Line] {
        let items = model.items(of: model.section)
        guard !items.isEmpty else {
            let update = model.sections[model.section]
            return [
                Line(text: StyledText(update.isComplete ? "Nothing here." : "Looking …", .faint))
            ]
        }
        let first = model.firstShown(lines: height)
        return items.indices[first..<min(items.count, first + height)].map { index in
            line(of: items[index], isCurrent: index == model.cursor, width)
        }
    }

    private func line(of item: Cleanable, isCurrent: Bool, _ width: Int) -> Line {
        let hasKeys = isCurrent && model.focus == .items
        let style: Style = hasKeys ? .selected : .plain
        let mark = item.isSelectable ? (model.chosen[item.id] == nil ? "[ ]" : "[x]") : " - "
        let size = (item.allocated?.tabular ?? "?").padded(to: 9, alignment: .right)
        let age = item.lastUse.map { model.now.duration(since: $0).ageDescription } ?? ""
        let lead = "\(mark)\(size) \(age.padded(to: 6, alignment: .right))  "
        let room = width - lead.displayWidth
        let noteRoom = room - item.name.escapingControls.displayWidth - 2
        var text = StyledText(lead, hasKeys ? .selected : item.isSelectable ? .plain : .faint)
        text += StyledText(item.name, style).truncatedMiddle(to: room)
        if noteRoom >= 8, !item.note.isEmpty {
            // Of a path the end says most, of a sentence the start.
            let note = StyledText(item.note.relativeToHome, .faint)
            text += StyledText("  ")
            text +=
                item.note.hasPrefix("/")
                ? note.truncatedMiddle(to: noteRoom) : note.truncatedTail(to: noteRoom)
        }
        return Line(text: text)
    }
}

extension CleaningProgress.Phase {
    var words: String {
        switch self {
        case .measuring: "measuring"
        case .cleaning: "cleaning"
        case .measuringAfter: "measuring again"
        case .done: "done"
        }
    }
}

extension CleaningSection {
    fileprivate var style: Style {
        switch self {
        case .systemCaches, .moduleCaches, .purgeableDirectories: .cache
        case .trash: .trash
        case .downloads, .userFiles: .essential
        }
    }
}

extension StyledText {
    /// The text cut or filled with spaces to a width.
    fileprivate func padded(to width: Int) -> StyledText {
        let cut = truncatedTail(to: width)
        return cut + StyledText(String(repeating: " ", count: max(0, width - cut.displayWidth)))
    }
}

extension String {
    /// A path in text with `~` for the home.
    fileprivate var relativeToHome: String {
        guard hasPrefix("/"), let home = Terminal.variable("HOME"), home.count > 1,
            hasPrefix(home)
        else { return self }
        return "~" + dropFirst(home.count)
    }
}
