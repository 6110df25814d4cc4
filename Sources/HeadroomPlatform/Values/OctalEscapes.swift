//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The form in which the kernel writes paths in lines of text: a byte that would end a field is its
/// number in octal, `\040` for a space (proc(5): `mountinfo`, `maps`, `swaps`).
enum OctalEscapes {
    /// Returns the bytes that a field stands for; a backslash without a byte's three digits stands for
    /// itself.
    static func resolved(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(field.count)
        var rest = field
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = Self.byte(of: rest.prefix(3)) else {
                result.append(byte)
                continue
            }
            result.append(escaped)
            rest = rest.dropFirst(3)
        }
        return result
    }

    private static func byte(of digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) else {
            return nil
        }
        let value: Int = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
        return UInt8(exactly: value)
    }
}
