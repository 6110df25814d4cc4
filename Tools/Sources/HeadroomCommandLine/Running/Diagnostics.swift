//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import SystemPackage

/// What goes to standard error: everything that is not the result.
package enum Diagnostics {
    /// Writes a sentence, with the program's name in front.
    package static func say(_ message: String) {
        write("headroom: \(message.escapingControlsButNewlines)")
    }

    /// Writes lines as they are, broken between words where they are wider than the terminal.
    package static func write(_ text: String) {
        let renderer = TextRenderer(
            width: Terminal(.standardError).width, usesColor: false, drawsBars: false,
            showsNext: false)
        var document = Document()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            document.add(StyledText(String(line)))
        }
        // There is nowhere left to report that standard error is closed.
        _ = try? FileDescriptor.standardError.writeAll(renderer.render(document).utf8)
    }
}

extension String {
    fileprivate var escapingControlsButNewlines: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).escapingControls }.joined(separator: "\n")
    }
}
