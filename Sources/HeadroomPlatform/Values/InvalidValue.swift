//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a text is not the value it should be, as a sentence that says what is accepted.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// A whole sentence, for people: `"5 apples" is not a size: …`.
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

extension InvalidValue {
    /// Says that `text` is not a `kind`, without letting its control characters through.
    init(_ text: String, isNot kind: String, accepted: String) {
        let shown = text.unicodeScalars.prefix(40).map { scalar in
            scalar.properties.generalCategory == .control ? "?" : String(scalar)
        }
        let dots = text.unicodeScalars.count > 40 ? "…" : ""
        self.init("“\(shown.joined())\(dots)” is not \(kind): \(accepted)")
    }
}
