//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Finds absolute paths in an argument or in the value of an environment variable.
///
/// A path begins at a slash at the start of the text, after a separator (`key=/path`, `a:/path`,
/// `--opt=/path`, `"/path"`) or after the letters of an option (`-I/path`). Where it ends is not certain,
/// since any of the separators can be a part of it.
enum PathText {
    /// The most ends that are tried for one beginning.
    private static let endLimit = 8

    /// Finds the possible paths in a text.
    ///
    /// - Parameter accepts: asked for the text from each beginning on; false leaves that beginning out.
    /// - Returns: for each beginning the possible ranges, the shortest first.
    static func paths(
        in text: UnsafeRawBufferPointer, where accepts: (UnsafeRawBufferPointer) -> Bool
    ) -> [[Range<Int>]] {
        var found: [[Range<Int>]] = []
        var offset = 0
        while let start = unsafe slash(in: text, from: offset) {
            offset = start + 1
            guard unsafe begins(at: start, in: text),
                unsafe accepts(UnsafeRawBufferPointer(rebasing: text[start...]))
            else { continue }
            found.append(unsafe ranges(from: start, in: text))
        }
        return found
    }

    private static func slash(in text: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard offset < text.count, let base = text.baseAddress,
            // In bounds: the count is the number of bytes from the offset on.
            let found = unsafe memchr(base + offset, 0x2F, text.count - offset)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }

    private static func begins(at start: Int, in text: UnsafeRawBufferPointer) -> Bool {
        if start == 0 { return true }
        if unsafe startSeparators.contains(text[start - 1]) { return true }
        // `-I/usr/include`, `-isystem/usr/include`
        guard unsafe text[0] == UInt8(ascii: "-") else { return false }
        return unsafe text[1..<start].allSatisfy { byte in
            byte == UInt8(ascii: "-") || (0x41...0x5A).contains(byte & 0xDF)
        }
    }

    private static func ranges(from start: Int, in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var end = start + 1
        while end < text.count, ranges.count < endLimit - 1 {
            if unsafe endSeparators.contains(text[end]) { ranges.append(start..<end) }
            end += 1
        }
        ranges.append(start..<text.count)
        return ranges
    }

    private static let endSeparators: Set<UInt8> = Set(" \t\n\r:,;\"'`()[]{}<>|&?#".utf8)
    private static let startSeparators: Set<UInt8> = endSeparators.union("=@!+%".utf8)
}
