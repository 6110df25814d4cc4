//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import SystemPackage

/// What goes to standard error: everything that is not the result.
enum Diagnostics {
    /// Writes a sentence, with the program's name in front.
    static func say(_ message: String) {
        let line = "headroom: \(message.escapingControlsButNewlines)\n"
        // There is nowhere left to report that standard error is closed.
        _ = try? FileDescriptor.standardError.writeAll(line.utf8)
    }
}

extension String {
    fileprivate var escapingControlsButNewlines: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).escapingControls }.joined(separator: "\n")
    }
}
