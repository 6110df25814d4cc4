//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// A path or name in JSON: for display, and, where it is not UTF-8, without loss.
package struct PathText: Hashable, Sendable {
    /// What is not UTF-8 is replaced.
    package var text: String
    /// Percent-encoded bytes; nil: `text` says all.
    package var encoded: String?

    package init(bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
        encoded =
            String(validating: bytes, as: UTF8.self) == nil ? Self.percentEncoded(bytes) : nil
    }

    /// One that is longer than any that can be named in a request is for display alone, without its middle:
    /// in a tree that is deep enough a single path would fill an answer.
    package init(_ path: FilePath) {
        let bytes = path.pathBytes
        guard bytes.count > Self.longest else {
            self.init(bytes: bytes)
            return
        }
        self.init(bytes: bytes.prefix(1_500) + Array("…".utf8) + bytes.suffix(1_500))
        encoded = nil
    }

    /// Of a path, in bytes.
    package static let longest = 4_095

    package init(_ name: FileName) { self.init(bytes: name.bytes) }

    /// Everything but letters, digits and `/-._~` as `%NN` (RFC 3986).
    package static func percentEncoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E: text.append(byte)
            default: text += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// The bytes that percent-encoded text stands for.
    ///
    /// - Parameter plusIsSpace: as in the query of an address.
    /// - Returns: nil if a `%` is not followed by two hexadecimal digits.
    package static func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false)
        -> [UInt8]?
    {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
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

extension FilePath {
    package var pathBytes: [UInt8] {
        unsafe withPlatformString { base in
            // `length` counts the bytes in front of the NUL that ends the string.
            unsafe UnsafeBufferPointer(start: base, count: length).map { UInt8(bitPattern: $0) }
        }
    }

    /// An absolute path as a request may name it.
    ///
    /// - Throws: for what is not absolute, goes upwards, has a NUL, or is too long for any system: what is
    ///   looked at is what was written, whatever the file system makes of `..`.
    package init(requested bytes: [UInt8]) throws(APIError) {
        guard bytes.first == UInt8(ascii: "/") else {
            throw .bad("The path does not begin with a slash.", advice: "Name the whole path.")
        }
        guard !bytes.contains(0) else {
            throw .bad("The path has a NUL.", advice: "Check the path.")
        }
        guard bytes.count <= PathText.longest else {
            throw .notFound(
                "The path is longer than 4,095 bytes: there is none such.",
                advice: "Check the path.")
        }
        let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        let isRoot = bytes.count == 1
        for component in components {
            let isTrailing = component.isEmpty && component.endIndex == bytes.endIndex
            guard isRoot || !component.isEmpty || isTrailing, component != [0x2E][...],
                component != [0x2E, 0x2E][...]
            else {
                throw .bad(
                    "The path has an empty part, or one that is . or ..",
                    advice: "Write the path without them.")
            }
            guard component.count <= 255 else {
                throw .notFound(
                    "A part of the path is longer than 255 bytes: there is none such.",
                    advice: "Check the path.")
            }
        }
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        self = unsafe terminated.withUnsafeBufferPointer { buffer in
            // Ends with the NUL that was just added, and there is none before.
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath("/")
        }
    }
}
