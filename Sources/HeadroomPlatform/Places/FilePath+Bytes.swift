//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// A `FilePath` is kept without doubled or trailing separators, so what follows can go by its bytes:
// splitting a path into components costs some hundred times as much, and layouts compare every
// area with every guarded place.
extension FilePath {
    /// A path from the bytes that the system gave, in no particular encoding; they end at a NUL.
    public init(bytes: [UInt8]) {
        var text = bytes
        text.append(0)
        self = unsafe text.withUnsafeBytes { buffer in
            // Terminated above; the memory lives as long as the closure.
            guard let base = buffer.baseAddress else { return FilePath() }
            return unsafe FilePath(platformString: base.assumingMemoryBound(to: CChar.self))
        }
    }

    /// The bytes of the path, without the terminating NUL.
    public var bytes: [UInt8] {
        unsafe withPlatformString { base in
            unsafe Array(UnsafeRawBufferPointer(start: base, count: length))
        }
    }

    /// Whether it is a directory or lies in it, by the names alone; links, `.` and `..` are names
    /// like others. Nothing lies in the empty path.
    ///
    /// - Complexity: O(length).
    package func lies(in directory: FilePath) -> Bool {
        let prefix = directory.length
        guard prefix > 0, length >= prefix else { return false }
        return unsafe withPlatformString { path in
            unsafe directory.withPlatformString { start in
                guard unsafe memcmp(path, start, prefix) == 0 else { return false }
                // Only that of `/` ends with its separator.
                let end = unsafe start[prefix - 1] == Self.separator ? prefix - 1 : prefix
                return unsafe length == prefix || path[end] == Self.separator
            }
        }
    }

    /// The path with another directory in place of one that it is or lies in; nil if it doesn't.
    ///
    /// - Complexity: O(length).
    package func moved(from directory: FilePath, to other: FilePath) -> FilePath? {
        guard lies(in: directory) else { return nil }
        let rest = bytes.dropFirst(directory.length).drop { $0 == UInt8(ascii: "/") }
        if rest.isEmpty { return other }
        let start = other.bytes
        let separator = start.isEmpty || start.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return FilePath(bytes: start + separator + rest)
    }

    /// The bytes after the last separator; none of `/`.
    package var lastNameBytes: ArraySlice<UInt8> {
        let bytes = bytes
        return bytes.suffix(from: (bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)
    }

    /// Whether one of its names is `.` or `..`.
    package var hasDotNames: Bool {
        unsafe withPlatformString { base in
            var count = 0
            var dots = 0
            for index in 0...length {
                let byte = unsafe index < length ? base[index] : Self.separator
                if byte == Self.separator {
                    if count > 0, count == dots, count <= 2 { return true }
                    (count, dots) = (0, 0)
                } else {
                    count += 1
                    if byte == 0x2E { dots += 1 }
                }
            }
            return false
        }
    }

    /// How many components it has; `/` has none.
    package var depth: Int {
        guard !isEmpty else { return 0 }
        return unsafe withPlatformString { base in
            let separators = unsafe UnsafeBufferPointer(start: base, count: length)
                .count { $0 == Self.separator }
            if unsafe base[0] != Self.separator { return separators + 1 }
            return length == 1 ? 0 : separators
        }
    }

    /// The components of an absolute path as names, without `.`; `..` is kept.
    package var names: [FileName] {
        unsafe withPlatformString { base in
            let path = unsafe UnsafeBufferPointer(start: base, count: length)
            return unsafe path.split(separator: Self.separator).compactMap { name in
                unsafe name.elementsEqual([0x2E])
                    ? nil : EntryName(base + name.startIndex, count: name.count).owned
            }
        }
    }

    /// Appends one component, byte by byte: a name is never re-encoded.
    package mutating func append(_ name: FileName) {
        self = appending(name)
    }

    /// The path of an entry of this directory, byte by byte.
    package func appending(_ name: FileName) -> FilePath {
        let start = bytes
        let separator = start.isEmpty || start.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return FilePath(bytes: start + separator + name.bytes)
    }

    private static var separator: CChar { 0x2F }
}
