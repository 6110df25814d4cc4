//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Unicode.Scalar {
    /// Whether it could break a line, move a terminal's cursor, change colors, turn the reading direction, or
    /// hide: the control characters, and the format characters of Unicode that are not part of words.
    package var isControl: Bool {
        switch value {
        // mutation: r38g-2
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            true
        default: false
        }
    }

    /// The scalar as `\x1B` or `\u{202E}`.
    var escaped: String {
        let digits = String(value, radix: 16, uppercase: true)
        return value < 0x100
            ? "\\x" + (digits.count == 1 ? "0" : "") + digits : "\\u{\(digits)}"
    }
}

extension String {
    /// The text with control characters as `\x1B` or `\u{202E}`, so that a name can neither forge a line or a
    /// field of a log nor turn the text around it.
    public var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                escaped += scalar.escaped
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
