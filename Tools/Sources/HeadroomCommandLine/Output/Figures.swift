//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

extension BinaryInteger {
    /// The number with a comma between groups of three digits.
    package var grouped: String {
        var digits = Array(String(magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }
}

extension ByteCount {
    /// The amount as in running text, with the unit padded so that figures above each other align.
    package var tabular: String {
        let text = description
        return text.hasSuffix(" B") ? text.dropLast() + " B" : text
    }
}

extension BinaryInteger {
    /// The number with its noun: `1 file`, `4,213 files`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(grouped) \(self == 1 ? one : many ?? one + "s")"
    }
}

extension Double {
    /// A share between 0 and 1 in whole percent; what is more than nothing is not shown as 0.
    package var percentText: String {
        self > 0 && self < 0.005 ? "<1 %" : "\(Int((self * 100).rounded())) %"
    }
}
