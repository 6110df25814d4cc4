//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Unicode.Scalar {
    /// Columns a terminal gives the scalar: 0, 1 or 2 (as `wcwidth`, without its locale).
    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// East Asian Width W and F, in blocks (Unicode 16, EastAsianWidth.txt).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1F200...0x1F2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}

extension Character {
    /// Columns a terminal gives the character: its scalars are drawn over each other.
    fileprivate var columns: Int {
        if isASCII { return 1 }
        var widest = 0
        for scalar in unicodeScalars {
            // U+FE0F asks for the picture, which is two columns wide.
            widest = max(widest, scalar.value == 0xFE0F ? 2 : scalar.columns)
        }
        return widest
    }
}

extension String {
    /// How many columns of a terminal the text takes.
    package var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }

    /// The longest start that fits `width` columns.
    private func prefix(columns width: Int) -> Substring {
        var used = 0
        for index in indices {
            used += self[index].columns
            if used > width { return self[..<index] }
        }
        return self[...]
    }

    /// The longest end that fits `width` columns.
    private func suffix(columns width: Int) -> Substring {
        var used = 0
        for index in indices.reversed() {
            used += self[index].columns
            if used > width { return self[self.index(after: index)...] }
        }
        return self[...]
    }

    /// The text cut at its end to a width, with an ellipsis if something is cut.
    ///
    /// - Parameter always: an ellipsis stands at the end even if nothing is cut.
    package func truncatedTail(to width: Int, always: Bool = false) -> String {
        guard always || displayWidth > width else { return self }
        return width > 0 ? prefix(columns: width - 1) + "…" : ""
    }

    /// The text cut in its middle to a width. The end gets more room than the start.
    package func truncatedMiddle(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 2 else { return truncatedTail(to: width) }
        let head = prefix(columns: (width - 1) * 2 / 5)
        return head + "…" + suffix(columns: width - 1 - String(head).displayWidth)
    }

    /// The text with spaces added up to a width.
    package func padded(to width: Int, alignment: Alignment) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - displayWidth))
        return alignment == .left ? self + spaces : spaces + self
    }
}

/// On which side of a column its cells stand.
package enum Alignment: Hashable, Sendable {
    case left
    case right
}
