//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Sorts by keys of 64 bits with a radix sort, eight bits at a time. What shares a key is in any order.
///
/// A comparison sort of a million costs twenty comparisons each; this costs one move a digit, and
/// digits that are the same for all are left out.
public enum KeySort {
    @inlinable @inline(__always)
    public static func sort<Element>(_ elements: inout [Element], by key: (Element) -> UInt64) {
        // From here on, a radix sort is faster.
        guard elements.count > 2048 else { return elements.sort { key($0) < key($1) } }
        let first = key(elements[0])
        var common: UInt64 = 0
        for element in elements { common |= key(element) ^ first }
        var other = elements
        for shift in stride(from: UInt64(0), to: 64, by: 8) where common >> shift & 0xFF != 0 {
            var starts = [Int](repeating: 0, count: 257)
            for element in elements { starts[Int(key(element) >> shift & 0xFF) + 1] += 1 }
            for digit in 1...256 { starts[digit] += starts[digit - 1] }
            for element in elements {
                let digit = Int(key(element) >> shift & 0xFF)
                other[starts[digit]] = element
                starts[digit] += 1
            }
            swap(&elements, &other)
        }
    }
}
