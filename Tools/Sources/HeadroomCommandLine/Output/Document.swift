//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a command says to a person: a value that the renderer lays out for a terminal or a pipe.
package struct Document: Hashable, Sendable {
    package var blocks: [Block] = []
    /// The most useful next commands, shown on the last line of a terminal.
    package var next: [String] = []

    package init() {}

    package enum Block: Hashable, Sendable {
        /// A sentence or two, wrapped to the width.
        case paragraph(StyledText)
        case table(Table)
        /// Names and values, the values in one column.
        case facts([Fact])
        case blank
    }

    package struct Fact: Hashable, Sendable {
        package var name: String
        package var value: StyledText

        package init(_ name: String, _ value: StyledText) {
            self.name = name
            self.value = value
        }
    }

    package mutating func add(_ text: StyledText) { blocks.append(.paragraph(text)) }
    package mutating func add(_ table: Table) { blocks.append(.table(table)) }
    package mutating func add(facts: [Fact]) { blocks.append(.facts(facts)) }

    /// Adds an empty line unless the document is empty or ends with one.
    package mutating func addBlank() {
        if let last = blocks.last, last != .blank { blocks.append(.blank) }
    }
}
