//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the text files that the kernel makes up, below `/proc` and `/sys`.
enum PseudoFile {
    /// A buffer that ``forEachLine(of:at:buffer:_:)`` can use again and again.
    static func makeBuffer() -> [UInt8] { [UInt8](repeating: 0, count: 65_536) }

    /// Calls `body` with each line of a file, without its newline. The lines are whole, however
    /// long the file and they are: the buffer grows.
    static func forEachLine(
        of path: String, at directory: Int32 = AT_FDCWD, buffer: inout [UInt8],
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Errno) {
        let file = Descriptor(
            owning: try retrying {
                unsafe hr_openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
            })
        var end = 0
        while true {
            if end == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let count = try retrying {
                unsafe buffer.withUnsafeMutableBytes {
                    // In bounds: `end` is less than the count here.
                    unsafe read(
                        file.rawValue, $0.baseAddress.map { unsafe $0 + end }, $0.count - end)
                }
            }
            end += count
            let used = unsafe buffer.withUnsafeBytes { bytes in
                unsafe lines(of: UnsafeRawBufferPointer(rebasing: bytes[..<end]), body)
            }
            if count == 0 {
                guard used < end else { return }
                unsafe buffer.withUnsafeBytes { unsafe body(.init(rebasing: $0[used..<end])) }
                return
            }
            // The beginning of the next line moves to the front; the ranges may overlap.
            unsafe buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress, used > 0 else { return }
                _ = unsafe memmove(base, base + used, end - used)
            }
            end -= used
        }
    }

    /// Calls `body` with each line of a text that ends with a newline.
    static func forEachLine(in text: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        _ = unsafe text.withUnsafeBytes { unsafe lines(of: $0, body) }
    }

    /// The contents of a file as lines of text.
    static func lines(of path: String, at directory: Int32 = AT_FDCWD) throws(Errno) -> [[UInt8]] {
        var buffer = makeBuffer()
        var lines: [[UInt8]] = []
        unsafe try forEachLine(of: path, at: directory, buffer: &buffer) { line in
            unsafe lines.append(Array(line))
        }
        return lines
    }

    /// Hands out the whole lines; returns the offset after the last of them.
    private static func lines(
        of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        var start = 0
        guard let base = bytes.baseAddress else { return 0 }
        while start < bytes.count,
            let newline = unsafe memchr(base + start, 0x0A, bytes.count - start)
        {
            let offset = unsafe UnsafeRawPointer(newline) - base
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
            start = offset + 1
        }
        return start
    }
}

/// Splits a line of bytes at spaces, without copying.
@safe struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    /// - Parameter bytes: stays valid while the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    /// The next field, by its range; empty at the end of the line.
    mutating func next() -> Range<Int> {
        while unsafe offset < bytes.count, unsafe bytes[offset] == 0x20 { offset += 1 }
        let start = offset
        while unsafe offset < bytes.count, unsafe bytes[offset] != 0x20 { offset += 1 }
        return start..<offset
    }

    /// What is left of the line, without leading spaces: a path may contain spaces itself.
    mutating func rest() -> Range<Int> {
        while unsafe offset < bytes.count, unsafe bytes[offset] == 0x20 { offset += 1 }
        return unsafe offset..<bytes.count
    }

    /// A number in a field; nil if it is none, or too large.
    func number(_ range: Range<Int>, radix: UInt64 = 10) -> UInt64? {
        if range.isEmpty { return nil }
        var value: UInt64 = 0
        for index in range {
            // In bounds: the ranges come from this reader.
            guard let digit = unsafe Self.digit(bytes[index]), digit < radix else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carried) = product.addingReportingOverflow(digit)
            if overflow || carried { return nil }
            value = sum
        }
        return value
    }

    /// `MAJOR:MINOR` in hexadecimal or decimal, in the form of ``FileIdentity/device``.
    func device(_ range: Range<Int>, radix: UInt64) -> UInt64? {
        guard let colon = unsafe bytes[range].firstIndex(of: 0x3A),
            let major = number(range.lowerBound..<colon, radix: radix),
            let minor = number(colon + 1..<range.upperBound, radix: radix)
        else { return nil }
        return major << 32 | minor
    }

    func text(_ range: Range<Int>) -> String {
        unsafe String(decoding: bytes[range], as: UTF8.self)
    }

    /// The bytes of a field in which the kernel wrote space, tab, newline and backslash as `\040`.
    func unescaped(_ range: Range<Int>) -> [UInt8] {
        OctalEscapes.resolved(unsafe Array(bytes[range])[...])
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }
}
