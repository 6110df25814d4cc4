//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

extension FilePath {
    /// The path as one word of a shell command, quoted where it has to be.
    ///
    /// Control characters and bytes that are not UTF-8 need `$'…'`, which POSIX.1-2024 has.
    public var shellText: String { ShellText.word(bytes) }
}

extension String {
    /// The text as one word of a shell command, quoted where it has to be.
    public var shellText: String { ShellText.word(Array(utf8)) }
}

private enum ShellText {
    static func word(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: \.isControl)
        else { return escaped(bytes) }
        // A tilde at the beginning stands for a home directory.
        if !text.isEmpty, text.first != "~", text.utf8.allSatisfy(isPlain) { return text }
        return "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // mutation: r38g-6
        default: "/._-+:,@%=~".utf8.contains(byte)
        }
    }

    /// `$'…'`, with every byte that is not ASCII text in octal: three digits end by themselves.
    private static func escaped(_ bytes: [UInt8]) -> String {
        var word = "$'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"):
                word += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: word += String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 8)
                word += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return word + "'"
    }
}
