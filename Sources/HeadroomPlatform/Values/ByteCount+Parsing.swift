//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ByteCount {
    /// What ``init(parsing:)`` accepts, as part of a sentence.
    public static let acceptedForms =
        "write a number with B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB"
        + " (powers of 1024), such as 500MB or 1.5GiB"

    /// Reads an amount as people write it: `500MB`, `2GiB`, `1.5 TB`, `4096`.
    ///
    /// MB is 10⁶ bytes and MiB is 2²⁰. A letter alone is decimal (`5G` is 5 GB), no unit means
    /// bytes, and capitals do not matter. Fractions of a byte are rounded.
    ///
    /// - Throws: ``InvalidValue`` with a sentence that says what is accepted, also when the amount
    ///   does not fit 63 bits.
    public init(parsing text: String) throws(InvalidValue) {
        guard let number = DecimalText(text), let factor = Self.factor(of: number.unit) else {
            throw InvalidValue(text, isNot: "a size", accepted: Self.acceptedForms + ".")
        }
        guard let bytes = number.times(factor) else {
            throw InvalidValue(text, isNot: "a size", accepted: "it must be less than 9.22 EB.")
        }
        self.init(bytes)
    }

    private static func factor(of unit: String) -> UInt64? {
        if ["", "b", "byte", "bytes"].contains(unit) { return 1 }
        guard let letter = unit.first, let power = "kmgtpe".firstIndex(of: letter) else {
            return nil
        }
        let exponent = "kmgtpe".distance(from: "kmgtpe".startIndex, to: power) + 1
        switch unit.dropFirst() {
        case "", "b": return (0..<exponent).reduce(1) { product, _ in product * 1_000 }
        case "i", "ib": return 1 << (10 * UInt64(exponent))
        default: return nil
        }
    }
}
