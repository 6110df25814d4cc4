//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Bytes as text that goes into an address, and back: `/a%20b` for `/a b` (RFC 3986, section 2.1).
///
/// For names and paths, which need not be UTF-8: whatever the bytes, decoding gives them back.
///
///     PercentEncoding.encoded([0x2F, 0xFF])        // "/%FF"
///     PercentEncoding.decoded("/%FF".utf8)         // [0x2F, 0xFF]
public enum PercentEncoding {
    /// Returns the bytes with all but letters, digits and `/-._~` as `%NN`.
    ///
    /// A slash stands for itself, as it does in the path of an address.
    public static func encoded(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E: text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that a text stands for; what is not encoded stands for itself.
    ///
    /// - Parameters:
    ///   - text: UTF-8, or any bytes.
    ///   - plusIsSpace: as in the query of an address.
    /// - Returns: nil if a `%` is not followed by two hexadecimal digits.
    public static func decoded(
        _ text: some Sequence<UInt8>, plusIsSpace: Bool = false
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                bytes.append(0x20)
            } else if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
