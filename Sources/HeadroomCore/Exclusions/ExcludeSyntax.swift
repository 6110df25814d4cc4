//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How one program names exactly one path in its list of what to leave out.
///
/// Each pattern matches that path and what is below it, and nothing else; where a program has no way
/// to name a path, there is none. What the programs really do with each of these is tested with them.
struct ExcludeSyntax {
    let program: BackupProgram

    /// - Parameters:
    ///   - path: absolute, without `.` and `..`.
    ///   - base: what the pattern is relative to; empty: nothing.
    /// - Returns: nil if the program cannot be told.
    func pattern(for path: [UInt8], below base: [UInt8]) -> [UInt8]? {
        guard path.count > 1 else { return nil }
        switch program {
        case .restic: return restic(path)
        case .borg: return borg(path)
        case .tar: return tar(path)
        case .rsync:
            if base.count <= 1 { return rsync(path) }
            guard path.starts(with: base) else { return nil }
            let rest = Array(path.dropFirst(base.count))
            // All that is in the directory that is copied.
            if rest.isEmpty { return Array("/*".utf8) }
            return rest.first == UInt8(ascii: "/") ? rsync(rest) : nil
        }
    }

    private static let wildcards = Set("*?[".utf8)
    private static let backslash = UInt8(ascii: "\\")

    // MARK: - restic

    /// Go's filepath.Match, a line each. Blanks at both ends are cut off, `$` begins a variable.
    private func restic(_ path: [UInt8]) -> [UInt8] {
        var pattern: [UInt8] = []
        let blank = TrailingBlank(path)
        for byte in path.dropLast(blank.bytes.count) {
            switch byte {
            case UInt8(ascii: "\n"): pattern += Self.resticNewline
            case UInt8(ascii: "$"): pattern += Array("$$".utf8)
            case _ where byte == Self.backslash || Self.wildcards.contains(byte):
                pattern += [Self.backslash, byte]
            default: pattern.append(byte)
            }
        }
        if blank.bytes == [UInt8(ascii: "\n")] { return pattern + Self.resticNewline }
        if !blank.bytes.isEmpty {
            pattern += [UInt8(ascii: "[")] + blank.bytes + [UInt8(ascii: "]")]
        }
        return pattern
    }

    /// All characters but a newline, negated.
    private static let resticNewline = Array("[^\u{1}-\t\u{B}-\u{10FFFF}]".utf8)

    // MARK: - borg

    /// A path prefix taken literally; what cannot stand in a line, as a regular expression of ASCII
    /// alone. Paths are matched without their leading slash, and bytes that are not UTF-8 are to
    /// Python the surrogates U+DC80…U+DCFF.
    private func borg(_ path: [UInt8]) -> [UInt8] {
        let scalars = Self.decode(path)
        let isPlain = scalars.allSatisfy { scalar in
            guard case .success(let value) = scalar else { return false }
            return value.value >= 0x20 && value.value != 0x7F
                && !(0x80..<0xA0).contains(value.value)
        }
        if isPlain, TrailingBlank(path).bytes.isEmpty { return Array("pp:".utf8) + path }
        var pattern = "re:^"
        for scalar in scalars.dropFirst() {
            switch scalar {
            case .success(let value) where Self.isPlainInExpression(value):
                pattern.unicodeScalars.append(value)
            case .success(let value): pattern += Self.escape(value.value)
            case .failure(let byte): pattern += Self.escape(0xDC00 + UInt32(byte.value))
            }
        }
        return Array((pattern + "(?:/|\\Z)").utf8)
    }

    private static func isPlainInExpression(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "/"
                || scalar == "_")
    }

    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        let (letter, width) =
            value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
    }

    /// A byte that is part of no UTF-8 character.
    private struct LooseByte: Error {
        var value: UInt8
    }

    private static func decode(_ bytes: [UInt8]) -> [Result<Unicode.Scalar, LooseByte>] {
        var result: [Result<Unicode.Scalar, LooseByte>] = []
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                result.append(.success(Unicode.UTF8.decode(encoded)))
                position += encoded.count
            case .error(let length):
                for byte in bytes[position..<position + length] {
                    result.append(.failure(LooseByte(value: byte)))
                }
                position += length
            case .emptyInput: return result
            }
        }
    }

    // MARK: - tar

    /// fnmatch(3), a line each, blanks at the end cut off. There is no escape for a newline.
    private func tar(_ path: [UInt8]) -> [UInt8]? {
        guard !path.contains(UInt8(ascii: "\n")) else { return nil }
        var pattern: [UInt8] = []
        for byte in path {
            // mutation: r11c-1
            if byte == Self.backslash || Self.wildcards.contains(byte) {
                pattern.append(Self.backslash)
            }
            pattern.append(byte)
        }
        guard let last = path.last, Self.isSpaceInC(last) else { return pattern }
        return pattern.dropLast() + [UInt8(ascii: "["), last, UInt8(ascii: "]")]
    }

    private static func isSpaceInC(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    // MARK: - rsync

    /// rsync's wildmatch, byte by byte. A backslash is one only where there are wildcards.
    private func rsync(_ path: [UInt8]) -> [UInt8] {
        let isWild = path.contains { Self.wildcards.contains($0) || Self.endsLine($0) }
        guard isWild else { return path }
        var pattern: [UInt8] = []
        for byte in path {
            switch byte {
            case _ where Self.endsLine(byte):
                // All bytes but this one, negated.
                pattern += Array("[^".utf8) + [0x01, UInt8(ascii: "-"), byte - 1]
                pattern += [byte + 1, UInt8(ascii: "-"), 0xFF, UInt8(ascii: "]")]
            case _ where byte == Self.backslash || Self.wildcards.contains(byte):
                pattern += [Self.backslash, byte]
            default: pattern.append(byte)
            }
        }
        return pattern
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

/// The last character of a path, if it is white space to programs that know Unicode.
private struct TrailingBlank {
    /// Empty if it is none.
    let bytes: [UInt8]

    init(_ path: [UInt8]) {
        // White space has at most three bytes.
        for count in 1...3 where path.count > count {
            let end = path.suffix(count)
            if let text = String(validating: end, as: UTF8.self),
                text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first
            {
                // 0x1C…0x1F: to Python.
                let isBlank =
                    scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
                bytes = isBlank ? Array(end) : []
                return
            }
        }
        bytes = []
    }
}
