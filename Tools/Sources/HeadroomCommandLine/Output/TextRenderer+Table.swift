//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension TextRenderer {
    private static let gap = 2
    /// A column that gives way keeps at least this much.
    private static let narrowest = 12

    /// The lines of a table.
    package func render(_ table: Table) -> [String] {
        let kept = table.columns.indices.filter { drawsBars || !isBarColumn($0, of: table) }
        let widths = columnWidths(table, kept)
        let indent = String(repeating: " ", count: table.indent)
        var lines: [String] = []
        if kept.contains(where: { !table.columns[$0].title.isEmpty }) {
            let titles = kept.map { StyledText(table.columns[$0].title, .faint) }
            lines.append(indent + line(titles, table, kept, widths))
        }
        for row in table.rows {
            switch row {
            case .cells(let cells):
                lines += block(kept.map { content(cells[$0]) }, table, kept, widths)
                    .map { indent + $0 }
            case .note(let text, let column):
                let (start, room) = place(ofColumn: column, table, kept, widths)
                lines.append(start + styled(text.truncatedTail(to: room)))
            case .sentence(let text, let column):
                let (start, room) = place(ofColumn: column, table, kept, widths)
                lines += wrap(text, to: room).map { start + styled($0) }
            case .command(let text, let column):
                lines.append(place(ofColumn: column, table, kept, widths).0 + styled(text))
            }
        }
        return lines
    }

    /// The spaces in front of a column, and the room from there on.
    private func place(
        ofColumn column: Int, _ table: Table, _ kept: [Int], _ widths: [Int]
    ) -> (String, Int) {
        let before = zip(kept, widths).filter { $0.0 < column }.map { $0.1 + Self.gap }
        let start = table.indent + before.reduce(0, +)
        let room = width.map { max(Self.narrowest, $0 - start) } ?? .max
        return (String(repeating: " ", count: start), room)
    }

    private func content(_ cell: Table.Cell) -> StyledText {
        switch cell {
        case .text(let text): text
        case .bar(let share, let width, let style): bar(share, width: width, style)
        }
    }

    private func isBarColumn(_ index: Int, of table: Table) -> Bool {
        table.rows.contains { row in
            if case .cells(let cells) = row, case .bar = cells[index] { true } else { false }
        }
    }

    private func columnWidths(_ table: Table, _ kept: [Int]) -> [Int] {
        var widths = kept.map { table.columns[$0].title.displayWidth }
        for case .cells(let cells) in table.rows {
            for (position, index) in kept.enumerated() {
                widths[position] = max(widths[position], content(cells[index]).displayWidth)
            }
        }
        guard let width else { return widths }
        // The widest of those that may shrink gives way first.
        var excess =
            widths.reduce(0, +) + Self.gap * max(0, kept.count - 1) + table.indent - width
        while excess > 0 {
            let shrinkable = kept.indices.filter {
                table.columns[kept[$0]].shrinks != nil && widths[$0] > Self.narrowest
            }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// The lines of one row: several where the last column goes on below.
    private func block(
        _ cells: [StyledText], _ table: Table, _ kept: [Int], _ widths: [Int]
    ) -> [String] {
        guard let last = kept.last, table.columns[last].shrinks == .wrap, let cell = cells.last,
            let room = widths.last
        else { return [line(cells, table, kept, widths)] }
        let empty = cells.map { _ in StyledText("") }
        return wrap(cell, to: room).enumerated().map { index, part in
            let others = (index == 0 ? cells : empty).dropLast()
            return line(others + [part], table, kept, widths)
        }
    }

    private func line(
        _ cells: [StyledText], _ table: Table, _ kept: [Int], _ widths: [Int]
    ) -> String {
        var parts: [String] = []
        for (position, index) in kept.enumerated() {
            let column = table.columns[index]
            let fitted =
                switch column.shrinks {
                case .middle: cells[position].truncatedMiddle(to: widths[position])
                case .wrap: cells[position]
                case .tail: cells[position].truncatedTail(to: widths[position])
                case nil: cells[position]
                }
            let padding = String(
                repeating: " ", count: max(0, widths[position] - fitted.displayWidth))
            let text = styled(fitted)
            parts.append(column.alignment == .left ? text + padding : padding + text)
        }
        return parts.joined(separator: String(repeating: " ", count: Self.gap))
    }
}
