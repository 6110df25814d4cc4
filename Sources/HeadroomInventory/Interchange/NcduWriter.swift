//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// Writes a listing that `ncdu -f` and `gdu -f` open: ncdu's JSON format 1.2.
///
/// Constant memory however large and deep the tree is. Names are written as ncdu writes them: bytes
/// that are not UTF-8 stand as they are, so that the file is JSON in all but its encoding and no
/// name is lost.
///
/// ```swift
/// var writer = NcduWriter(program: "headroom", version: "0.1", timestamp: now) { bytes in … }
/// try writer.beginDirectory(NcduEntry(name: Array("/data".utf8)))
/// try writer.file(NcduEntry(name: Array("film.mkv".utf8), allocatedSize: .gigabytes(4)))
/// try writer.endDirectory()
/// try writer.finish()
/// ```
public struct NcduWriter: ~Copyable {
    /// Takes the next part of the output.
    public typealias Sink = ([UInt8]) throws(HeadroomError) -> Void

    private static let chunkSize = 1 << 16

    private var buffer: [UInt8] = []
    private let sink: Sink
    private var depth = 0
    private var hasRoot = false

    /// Starts a listing.
    ///
    /// - Parameters:
    ///   - timestamp: when the listing was made, in whole seconds.
    ///   - sink: called with parts of at most a little more than 64 KiB.
    public init(
        program: String, version: String, timestamp: Timestamp, sink: @escaping Sink
    ) {
        self.sink = sink
        buffer.reserveCapacity(Self.chunkSize + 4_096)
        append(#"[1,2,{"progname":"#)
        append(quoted: program.utf8)
        append(#","progver":"#)
        append(quoted: version.utf8)
        append(#","timestamp":"#)
        append("\(max(0, timestamp.seconds))}")
    }

    /// Starts a directory: the root with its absolute path, the others with their name.
    public mutating func beginDirectory(_ entry: NcduEntry) throws(HeadroomError) {
        precondition(depth > 0 || !hasRoot, "a listing has one root")
        hasRoot = true
        depth += 1
        append(",\n[")
        append(entry)
        try flushIfFull()
    }

    /// Writes anything that is not a directory, or a directory whose content is left out.
    public mutating func file(_ entry: NcduEntry) throws(HeadroomError) {
        precondition(depth > 0, "a file lies in a directory")
        append(",\n")
        append(entry)
        try flushIfFull()
    }

    /// Ends the directory begun last.
    public mutating func endDirectory() throws(HeadroomError) {
        precondition(depth > 0, "no directory is open")
        depth -= 1
        append("]")
        try flushIfFull()
    }

    /// Writes one step of a listing that was read.
    public mutating func write(_ event: NcduEvent) throws(HeadroomError) {
        switch event {
        case .beginDirectory(let entry): try beginDirectory(entry)
        case .file(let entry): try file(entry)
        case .endDirectory: try endDirectory()
        }
    }

    /// Ends the listing; everything has gone to the sink when it returns.
    public consuming func finish() throws(HeadroomError) {
        precondition(depth == 0 && hasRoot, "a directory is still open, or there is none")
        append("]\n")
        try sink(buffer)
    }

    private mutating func flushIfFull() throws(HeadroomError) {
        guard buffer.count >= Self.chunkSize else { return }
        try sink(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    // MARK: - Bytes

    private mutating func append(_ entry: NcduEntry) {
        append(#"{"name":"#)
        append(quoted: entry.name)
        append("asize", entry.logicalSize.bytes, unless: 0)
        // mutation: r40a-1
        append("dsize", entry.allocatedSize.bytes, unless: 0)
        append("dev", entry.device)
        if let extended = entry.extended {
            append("uid", extended.owner)
            append("gid", extended.group)
            append("mode", extended.mode)
            append("mtime", extended.modified?.seconds)
        }
        append("ino", entry.inode)
        if entry.isHardLink { append(#","hlnkc":true"#) }
        append("nlink", entry.linkCount)
        if entry.hasReadError { append(#","read_error":true"#) }
        if let exclusion = entry.exclusion {
            append(#","excluded":"#)
            append(quoted: exclusion.description.utf8)
        }
        if entry.isNotRegular { append(#","notreg":true"#) }
        append("}")
    }

    private mutating func append(_ text: StaticString) {
        unsafe buffer.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) {
        buffer.append(contentsOf: text.utf8)
    }

    private mutating func append<Number: FixedWidthInteger>(
        _ key: StaticString, _ value: Number?, unless omitted: Number? = nil
    ) {
        guard let value, value != omitted else { return }
        append(",\"")
        append(key)
        append("\":")
        append(String(value))
    }

    private mutating func append(quoted bytes: some Sequence<UInt8>) {
        buffer.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case ..<0x20, 0x7F:
                append("\\u00")
                for digit in [byte >> 4, byte & 15] {
                    buffer.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            default: buffer.append(byte)
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }
}
