//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine

/// The last line of the screen of `headroom clean`: which keys do something now.
enum KeyHints {
    /// The words in the order in which they are shown, and how soon each may be left out where not all
    /// fit: the lowest first.
    private typealias Hint = (words: String, rank: Int)

    /// As many of them as fit, whole.
    static func line(for model: CleanModel, width: Int) -> String {
        var hints = hints(for: model)
        while text(hints).displayWidth > width, hints.count > 1,
            let least = hints.indices.min(by: { hints[$0].rank < hints[$1].rank })
        {
            hints.remove(at: least)
        }
        return text(hints)
    }

    private static func text(_ hints: [Hint]) -> String {
        hints.map(\.words).joined(separator: "  ")
    }

    private static func hints(for model: CleanModel) -> [Hint] {
        switch model.mode {
        case .browsing:
            var hints: [Hint] = [
                ("arrows move", 1), ("space mark", 5), ("a all", 3), ("s sort", 0),
                ("p preview", 4), ("c clean", 6), ("? help", 7), ("q quit", 8),
            ]
            if model.undoable != nil { hints.insert(("u undo", 9), at: 6) }
            return hints
        case .help: return [("any key goes back", 0)]
        case .preview(nil, _), .command(_, nil): return [("esc back", 0)]
        case .preview: return [("enter cleans", 0), ("esc back", 1)]
        case .cleaning, .running: return [("esc stops", 0)]
        case .undoing: return []
        case .result:
            let back: [Hint] = [("any other key goes back", 0), ("q quit", 2)]
            return (model.undoable == nil ? [] : [("u undo", 1)]) + back
        case .command: return [("enter runs it", 0), ("esc back", 1)]
        case .ran: return [("any key goes back", 0), ("q quit", 1)]
        }
    }
}
