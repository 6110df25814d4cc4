//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A share of a whole, between 0 and 100 percent, exact to a millionth of a percent.
public struct Percentage: Hashable, Comparable, Sendable {
    /// Millionths of a percent: 10 % is 10,000,000.
    private let millionths: Int64

    /// What ``init(parsing:)`` accepts, as part of a sentence.
    public static let acceptedForms =
        "write a number from 0 to 100 with a percent sign, such as 10%"

    /// Reads a percentage: `10%`, `2.5 %`.
    ///
    /// - Throws: ``InvalidValue`` with a sentence that says what is accepted.
    public init(parsing text: String) throws(InvalidValue) {
        guard let number = DecimalText(text), number.unit == "%",
            let millionths = number.times(1_000_000), millionths <= 100_000_000
        else {
            throw InvalidValue(text, isNot: "a percentage", accepted: Self.acceptedForms + ".")
        }
        self.millionths = millionths
    }

    /// The share as a number between 0 and 1.
    public var fraction: Double { Double(millionths) / 100_000_000 }

    /// The share in hundredths of a percent, rounded up.
    public var basisPoints: Int { Int((millionths + 9_999) / 10_000) }

    /// The share of an amount, rounded up: what is left free is never less than was asked for.
    public func of(_ whole: ByteCount) -> ByteCount {
        let product = Int128(whole.bytes) * Int128(millionths)
        let share = (product + (product > 0 ? 99_999_999 : 0)) / 100_000_000
        return ByteCount(Int64(clamping: share))
    }

    public static func < (left: Percentage, right: Percentage) -> Bool {
        left.millionths < right.millionths
    }
}

extension Percentage: CustomStringConvertible {
    /// `10 %`, `2.5 %`.
    public var description: String {
        let whole = millionths / 1_000_000
        var fraction = String(millionths % 1_000_000)
        guard fraction != "0" else { return "\(whole) %" }
        fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        return "\(whole).\(fraction) %"
    }
}
