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

/// The entries in a buffer that ``FileSystemCalls/read(_:into:)`` filled.
///
/// The layout is that of `struct linux_dirent64` (getdents64(2)): inode number (8 bytes), cookie
/// (8), record length (2), type (1), NUL-terminated name, padding to 8. The POSIX route writes the
/// same, so that one parser serves both. `.` and `..` are left out by ``next()``. A record that
/// does not fit its buffer ends the iteration: what the kernel says is checked, not trusted.
@safe package struct DirectoryEntries {
    private let base: UnsafeRawPointer
    private let end: Int
    private var offset = 0

    /// - Parameter buffer: stays valid and unchanged while the entries are used.
    package init(_ buffer: UnsafeRawBufferPointer) {
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
        end = buffer.count
    }

    package struct Entry {
        package let name: EntryName
        package let type: FileType
        package let inode: UInt64
    }

    static let headerSize = 19

    @inline(__always)
    package mutating func next() -> Entry? {
        while offset &+ Self.headerSize < end {
            let record = unsafe base + offset
            // In bounds: the loop condition leaves at least a header.
            let length = unsafe Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
            guard length > Self.headerSize, offset &+ length <= end else {
                offset = end
                return nil
            }
            offset &+= length
            let name = unsafe (record + Self.headerSize).assumingMemoryBound(to: CChar.self)
            // In bounds: the name lies within the record, whose length was checked.
            let count = unsafe Self.length(of: name, atMost: length &- Self.headerSize)
            guard count > 0, count < length &- Self.headerSize else { continue }
            if unsafe name[0] == 0x2E,
                unsafe count == 1 || (count == 2 && name[1] == 0x2E)
            {
                continue
            }
            let type = unsafe record.load(fromByteOffset: 18, as: UInt8.self)
            return unsafe Entry(
                name: EntryName(name, count: count),
                type: FileType(directoryEntryType: type),
                inode: record.loadUnaligned(as: UInt64.self))
        }
        return nil
    }

    @inline(__always)
    private static func length(of name: UnsafePointer<CChar>, atMost limit: Int) -> Int {
        unsafe strnlen(name, limit)
    }
}

extension FileType {
    /// The type from the `d_type` of a directory entry.
    @inline(__always)
    package init(directoryEntryType: UInt8) {
        switch directoryEntryType {
        case 8: self = .regular
        case 4: self = .directory
        case 10: self = .symbolicLink
        case 1: self = .fifo
        case 12: self = .socket
        case 2: self = .characterDevice
        case 6: self = .blockDevice
        default: self = .unknown
        }
    }

    /// The type from the `st_mode` of a status.
    @inline(__always)
    package init(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .regular
        case 0o040000: self = .directory
        case 0o120000: self = .symbolicLink
        case 0o010000: self = .fifo
        case 0o140000: self = .socket
        case 0o020000: self = .characterDevice
        case 0o060000: self = .blockDevice
        default: self = .unknown
        }
    }
}
