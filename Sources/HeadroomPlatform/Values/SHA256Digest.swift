//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The SHA-256 of some content (FIPS 180-4).
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a digest as `sha256sum` writes it.
    ///
    /// - Throws: ``InvalidValue`` unless it is 64 hexadecimal digits.
    public init(_ text: String) throws(InvalidValue) {
        var bytes: [UInt8] = []
        let digits = Array(text.utf8)
        if digits.count == 64 {
            for index in stride(from: 0, to: 64, by: 2) {
                guard let high = Self.value(of: digits[index]),
                    let low = Self.value(of: digits[index + 1])
                else { break }
                bytes.append(high << 4 | low)
            }
        }
        guard bytes.count == 32 else {
            throw InvalidValue(
                text, isNot: "a SHA-256",
                accepted: "it has 64 digits, 0 to 9 and a to f, as sha256sum prints them.")
        }
        self.bytes = bytes
    }

    /// 64 hexadecimal digits, in lower case.
    public var description: String { Self.hexadecimal(bytes) }

    /// The first bytes, for names: enough of them tell contents apart.
    package func prefix(_ count: Int) -> String { Self.hexadecimal(bytes.prefix(count)) }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
