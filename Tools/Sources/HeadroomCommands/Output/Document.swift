//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a command says to a person: a value that the renderer lays out for a terminal or a pipe.
struct Document: Hashable, Sendable {
    var blocks: [Block] = []
    /// The most useful next commands, shown on the last line of a terminal.
    var next: [String] = []

    enum Block: Hashable, Sendable {
        /// A sentence or two, wrapped to the width.
        case paragraph(StyledText)
        case table(Table)
        /// Names and values, the values in one column.
        case facts([Fact])
        case blank
    }

    struct Fact: Hashable, Sendable {
        var name: String
        var value: StyledText

        init(_ name: String, _ value: StyledText) {
            self.name = name
            self.value = value
        }
    }

    mutating func add(_ text: StyledText) { blocks.append(.paragraph(text)) }
    mutating func add(_ table: Table) { blocks.append(.table(table)) }
    mutating func add(facts: [Fact]) { blocks.append(.facts(facts)) }

    /// Adds an empty line unless the document is empty or ends with one.
    mutating func addBlank() {
        if let last = blocks.last, last != .blank { blocks.append(.blank) }
    }
}
