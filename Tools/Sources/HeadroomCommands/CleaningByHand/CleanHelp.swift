//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine

/// What `?` shows.
enum CleanHelp {
    static let lines: [StyledText] =
        [
            StyledText("Keys", .strong), StyledText(""),
        ] + rows.map { StyledText("  " + $0.0.padded(to: 20, alignment: .left)) + StyledText($0.1) }
        + [
            StyledText(""),
            StyledText(
                "Caches, directories and what is in the trash go for good; of caches only what",
                .faint),
            StyledText(
                "is not in use. Your own files go to the trash, and u brings them back.", .faint),
        ]

    private static let rows: [(String, String)] = [
        ("arrows, h j k l", "move; left and right, or tab, change sides"),
        ("page up, page down", "a page; g and G: to the start and the end"),
        ("space", "marks what is under the cursor; left: the whole section"),
        ("", "on what shows “ - ”: what its own tool would do, and asks"),
        ("a, n", "marks all of the section; unmarks everything"),
        ("s", "sorts by size, age, name"),
        ("p", "what would really be freed, hard links counted right"),
        ("enter, c", "cleans what is marked, after showing that"),
        ("u", "brings back what was moved to the trash last"),
        ("esc, ctrl-c", "while it cleans: stops after the item"),
        ("ctrl-l, ctrl-z", "draws anew; suspends (fg goes on)"),
        ("q, ctrl-c", "quits"),
    ]
}
