//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An amount of storage, in bytes.
///
/// MB is 10⁶ bytes and MiB is 2²⁰ bytes, everywhere in Headroom.
public struct ByteCount: Hashable, Comparable, AdditiveArithmetic, Sendable {
    /// The amount in bytes. Negative only as a difference.
    public var bytes: Int64

    public init(_ bytes: Int64) {
        self.bytes = bytes
    }

    public static let zero = ByteCount(0)

    public static func kilobytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_000) }
    public static func megabytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_000_000) }
    public static func gigabytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_000_000_000) }
    public static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(count << 20) }
    public static func gibibytes(_ count: Int64) -> ByteCount { ByteCount(count << 30) }

    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    /// The sum, saturating: sizes come from file systems, and a damaged one must not trap.
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        let (sum, overflow) = left.bytes.addingReportingOverflow(right.bytes)
        return ByteCount(overflow ? (right.bytes < 0 ? .min : .max) : sum)
    }

    /// The difference, saturating.
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        let (difference, overflow) = left.bytes.subtractingReportingOverflow(right.bytes)
        return ByteCount(overflow ? (right.bytes < 0 ? .max : .min) : difference)
    }

    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    public static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }
}

extension ByteCount: CustomStringConvertible {
    /// The amount as people read it, with three significant digits: `4.93 GB`, `512 B`.
    public var description: String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        var magnitude = Double(bytes.magnitude)
        var unit = 0
        // 999.5 would be shown as "1000": it belongs to the next unit.
        while magnitude >= (unit == 0 ? 1000 : 999.5), unit < units.count - 1 {
            magnitude /= 1000
            unit += 1
        }
        let sign = bytes < 0 ? "-" : ""
        guard unit > 0 else { return "\(sign)\(bytes.magnitude) B" }
        let decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0
        return "\(sign)\(Self.fixed(magnitude, decimals: decimals)) \(units[unit])"
    }

    private static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = [1.0, 10.0, 100.0][decimals]
        let scaled = UInt64((value * scale).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let divisor = UInt64(scale)
        let fraction = String(scaled % divisor)
        let padding = String(repeating: "0", count: decimals - fraction.count)
        return "\(scaled / divisor).\(padding)\(fraction)"
    }
}
