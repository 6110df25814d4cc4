//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Lays out a document as text.
package struct TextRenderer: Sendable {
    /// The columns of the terminal; nil in a pipe: nothing is cut or wrapped.
    package var width: Int?
    package var usesColor: Bool
    /// Whether bars are drawn.
    package var drawsBars: Bool
    /// Whether the last line says what to do next.
    package var showsNext: Bool
    /// Block characters; else ASCII.
    package var usesBlocks: Bool

    package init(
        width: Int?, usesColor: Bool, drawsBars: Bool, showsNext: Bool, usesBlocks: Bool = true
    ) {
        self.width = width
        self.usesColor = usesColor
        self.drawsBars = drawsBars
        self.showsNext = showsNext
        self.usesBlocks = usesBlocks
    }

    /// Text for a pipe or a file.
    package static let plain = TextRenderer(
        width: nil, usesColor: false, drawsBars: false, showsNext: false)

    /// The document, each line with its newline.
    package func render(_ document: Document) -> String {
        var lines: [String] = []
        for block in document.blocks {
            switch block {
            case .paragraph(let text): lines += wrap(text).map(styled)
            case .table(let table): lines += render(table)
            case .facts(let facts): lines += render(facts)
            case .blank: lines.append("")
            }
        }
        if showsNext, !document.next.isEmpty { lines += ["", nextLine(document.next)] }
        return lines.map { trimmed($0) + "\n" }.joined()
    }

    // MARK: - Blocks

    private func render(_ facts: [Document.Fact]) -> [String] {
        let names = facts.map(\.name.displayWidth).max() ?? 0
        return facts.flatMap { fact in
            let name = fact.name.padded(to: names, alignment: .left) + "  "
            let lines = wrap(fact.value, to: width.map { max(20, $0 - names - 2) })
            let indent = String(repeating: " ", count: names + 2)
            return lines.enumerated().map { index, line in
                (index == 0 ? styled(StyledText(name, .faint)) : indent) + styled(line)
            }
        }
    }

    /// As many of the commands as fit one line, the first in any case.
    private func nextLine(_ commands: [String]) -> String {
        var line = StyledText("Next: ", .faint)
        for (index, command) in commands.enumerated() {
            let separator = index == 0 ? "" : " · "
            let more = line + StyledText(separator, .faint) + StyledText(command)
            if index > 0, let width, more.displayWidth > width { break }
            line = more
        }
        return styled(line)
    }

    // MARK: - Text

    package func styled(_ text: StyledText) -> String {
        guard usesColor else { return text.string }
        return text.runs.map { run in
            guard let code = run.style.graphicRendition else { return run.text }
            return "\u{1B}[\(code)m\(run.text)\u{1B}[0m"
        }.joined()
    }

    package func bar(_ share: Double, width: Int, _ style: Style) -> StyledText {
        let (full, empty) = usesBlocks ? ("█", "░") : ("#", "-")
        let clamped = share.isNaN ? 0 : min(1, max(0, share))
        var filled = Int((clamped * Double(width)).rounded())
        // Something is never drawn as nothing, and not quite full never as full.
        if clamped > 0 { filled = max(1, filled) }
        if clamped < 1 { filled = min(width - 1, filled) }
        return StyledText(String(repeating: full, count: filled), style)
            + StyledText(String(repeating: empty, count: width - filled), .faint)
    }

    private func trimmed(_ line: String) -> String {
        guard line.last == " " else { return line }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Breaks at spaces. A word longer than the width stays whole: a path that is cut cannot be
    /// copied.
    private func wrap(_ text: StyledText) -> [StyledText] { wrap(text, to: width) }

    func wrap(_ text: StyledText, to width: Int?) -> [StyledText] {
        guard let width, text.displayWidth > width else { return [text] }
        var lines: [StyledText] = []
        var line = StyledText("")
        // Spaces wait for the word after them: at the end of a line there are none.
        var spaces: [StyledText.Run] = []
        var used = 0
        for run in text.runs {
            for word in run.text.splitKeepingSpaces {
                guard word != " " else {
                    if used > 0 || lines.isEmpty {
                        spaces.append(.init(text: " ", style: run.style))
                    }
                    continue
                }
                let columns = word.displayWidth
                if used > 0, used + spaces.count + columns > width {
                    lines.append(line)
                    line = StyledText("")
                    used = 0
                    spaces = []
                }
                line.runs += spaces + [.init(text: word, style: run.style)]
                used += spaces.count + columns
                spaces = []
            }
        }
        if used > 0 { lines.append(line) }
        return lines
    }
}

extension String {
    /// Words and single spaces, in order.
    fileprivate var splitKeepingSpaces: [String] {
        var parts: [String] = []
        var word = ""
        for character in self {
            guard character == " " else {
                word.append(character)
                continue
            }
            if !word.isEmpty { parts.append(word) }
            word = ""
            parts.append(" ")
        }
        if !word.isEmpty { parts.append(word) }
        return parts
    }
}
