//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A text that starts with a decimal number and ends with a unit: `1.5 GB`, `36h`.
///
/// Exact: no step goes through floating point, so that `9007199254740993B` is what it says.
struct DecimalText {
    private let whole: UInt64
    private let fraction: UInt64
    /// 10 to the number of digits in `fraction`.
    private let scale: UInt64
    /// What follows the number, in lower case, without spaces around it.
    let unit: String

    /// - Returns: nil if the text does not start with digits, or has more of them than fit.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        guard let whole = Self.number(&rest)?.value else { return nil }
        self.whole = whole
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard let (fraction, digits) = Self.number(&rest), digits <= 18 else { return nil }
            self.fraction = fraction
            scale = (0..<digits).reduce(1) { product, _ in product * 10 }
        } else {
            fraction = 0
            scale = 1
        }
        unit = String(decoding: rest, as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: true)
            .joined(separator: " ").lowercased()
    }

    /// Takes digits off the front; nil if there are none, or their value does not fit.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> (value: UInt64, digits: Int)? {
        var value: UInt64 = 0
        var digits = 0
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(byte - 48))
            guard !overflow, !carried else { return nil }
            value = sum
            digits += 1
            rest = rest.dropFirst()
        }
        return digits > 0 ? (value, digits) : nil
    }

    /// The number times `factor`, rounded to the nearest whole.
    ///
    /// - Returns: nil if that does not fit.
    func times(_ factor: UInt64) -> Int64? {
        let product = UInt128(whole) * UInt128(factor)
        let part = (UInt128(fraction) * UInt128(factor) + UInt128(scale) / 2) / UInt128(scale)
        return Int64(exactly: product + part)
    }
}
