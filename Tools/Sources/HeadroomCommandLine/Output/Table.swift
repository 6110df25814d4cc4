//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// Rows of cells in columns.
package struct Table: Hashable, Sendable {
    package var columns: [Column]
    package var rows: [Row] = []
    /// Spaces in front of every line.
    package var indent = 0

    package struct Column: Hashable, Sendable {
        /// Empty: no title; the title line is left out if no column has one.
        package var title: String
        package var alignment: Alignment
        /// How it gives way where the terminal is too narrow; nil: not at all.
        package var shrinks: Shrinking?

        package static func text(_ title: String = "") -> Column {
            Column(title: title, alignment: .left, shrinks: .tail)
        }
        package static func sentence(_ title: String = "") -> Column {
            Column(title: title, alignment: .left, shrinks: .wrap)
        }
        package static func path(_ title: String = "") -> Column {
            Column(title: title, alignment: .left, shrinks: .middle)
        }
        package static func figure(_ title: String = "") -> Column {
            Column(title: title, alignment: .right, shrinks: nil)
        }
        package static func fixed(_ title: String = "") -> Column {
            Column(title: title, alignment: .left, shrinks: nil)
        }
    }

    package enum Shrinking: Hashable, Sendable {
        /// Goes on below; of the last column only.
        case wrap
        case tail
        case middle
    }

    package enum Row: Hashable, Sendable {
        case cells([Cell])
        /// A line that starts at a column and runs across those after it.
        case note(StyledText, column: Int)
        /// Lines that start at a column, as many as the text needs.
        case sentence(StyledText, column: Int)
        /// A line that is never cut, since somebody may copy it.
        case command(StyledText, column: Int)
    }

    package enum Cell: Hashable, Sendable {
        case text(StyledText)
        /// A share between 0 and 1; drawn on a terminal, left out elsewhere.
        case bar(Double, width: Int, Style)

        package static let empty = Cell.text("")
        package static func figure(_ count: Int) -> Cell { .text(StyledText(count.grouped)) }
        package static func size(_ bytes: ByteCount, _ style: Style = .plain) -> Cell {
            .text(StyledText(bytes.tabular, style))
        }
    }

    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = indent
    }

    package mutating func add(_ cells: Cell...) {
        precondition(cells.count == columns.count, "as many cells as columns")
        rows.append(.cells(cells))
    }

    package mutating func note(_ text: StyledText, column: Int = 0) {
        rows.append(.note(text, column: column))
    }

    package mutating func sentence(_ text: StyledText, column: Int = 0) {
        rows.append(.sentence(text, column: column))
    }

    package mutating func command(_ text: StyledText, column: Int = 0) {
        rows.append(.command(text, column: column))
    }
}
