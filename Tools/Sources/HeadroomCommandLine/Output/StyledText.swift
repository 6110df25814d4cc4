//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// Text whose parts have styles.
///
/// Control characters in it, from file names above all, are escaped when it is rendered: what a
/// file is called can never move the cursor or change colours.
package struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    package struct Run: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    package var runs: [Run]

    package init(_ text: String, _ style: Style = .plain) {
        runs = text.isEmpty ? [] : [Run(text: text.escapingControls, style: style)]
    }

    package init(stringLiteral text: String) { self.init(text) }

    package static func + (left: StyledText, right: StyledText) -> StyledText {
        var joined = left
        joined.runs += right.runs
        return joined
    }

    package static func += (left: inout StyledText, right: StyledText) { left = left + right }

    /// The text alone.
    package var string: String { runs.map(\.text).joined() }

    /// How many columns of a terminal it takes.
    package var displayWidth: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }

    /// The text cut at its end to a width, with an ellipsis; the style of the cut run stays.
    package func truncatedTail(to width: Int) -> StyledText {
        guard displayWidth > width else { return self }
        var room = width
        var result = StyledText("")
        for run in runs where room > 0 {
            let needed = run.text.displayWidth
            // The ellipsis needs a column unless this run ends the text within the room.
            let text = needed < room ? run.text : run.text.truncatedTail(to: room, always: true)
            result.runs.append(Run(text: text, style: run.style))
            room -= needed < room ? needed : room
        }
        return result
    }

    /// The text cut in its middle to a width: for paths, whose ends say most.
    package func truncatedMiddle(to width: Int) -> StyledText {
        guard displayWidth > width, let first = runs.first else { return self }
        return StyledText(string.truncatedMiddle(to: width), first.style)
    }
}
