//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a piece of text means; the renderer decides how that looks.
package enum Style: Hashable, Sendable {
    case plain
    case strong
    /// Less important than what stands around it.
    case faint
    case good
    case warning
    case critical
    case temporary
    case cache
    case trash
    case lastResort
    case essential
    /// Under the cursor.
    case selected

    /// The SGR parameters, of the 16 colours every terminal has; nil for plain text.
    package var graphicRendition: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .critical: "1;31"
        case .temporary: "36"
        case .cache: "34"
        case .trash: "33"
        case .lastResort: "35"
        case .essential: "1"
        case .selected: "7"
        }
    }
}
