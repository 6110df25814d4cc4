//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// Reads a listing that ncdu, gdu or ``NcduWriter`` has written, one step at a time.
///
/// The input is not trusted: whatever it is, reading ends with events or an error that says where.
/// Memory does not grow with the listing, and depth costs no stack. Fields it does not know are
/// passed over.
///
/// ```swift
/// var reader = try NcduReader { try nextChunk() }
/// while let event = try reader.next() { … }
/// ```
public struct NcduReader: ~Copyable {
    /// Returns the next part of the input, empty at its end.
    public typealias Source = () throws(HeadroomError) -> [UInt8]

    /// What is refused, so that hostile input cannot use up memory.
    public struct Limits: Sendable {
        /// How deep directories may lie in each other.
        public var depth: Int
        /// How long a name may be, in bytes; that of the root is a path.
        public var nameLength: Int

        public init(depth: Int = 100_000, nameLength: Int = 32_768) {
            self.depth = depth
            self.nameLength = nameLength
        }
    }

    /// The program that wrote the listing, if it says so.
    public private(set) var program: String?
    /// When the listing was made, if it says so.
    public private(set) var timestamp: Timestamp?

    private var json: JSONTokenizer
    private let limits: Limits
    private var depth = 0
    private var hasEnded = false

    /// Reads the head of a listing.
    ///
    /// - Throws: `damaged` where the input is not such a listing, with line and column; whatever
    ///   `source` throws.
    public init(limits: Limits = Limits(), source: @escaping Source) throws(HeadroomError) {
        self.limits = limits
        json = JSONTokenizer(source: source)
        try json.rejectOtherFormats()
        try json.expect("[", "the start of an ncdu listing")
        guard try json.integer("the format’s version") == 1 else {
            throw json.error("This listing has a format newer than ncdu's 1.x")
        }
        try json.expect(",", "a comma")
        let _: Int = try json.integer("the format’s minor version")
        try json.expect(",", "a comma")
        try readMetadata()
        try json.expect(",", "a comma and the root directory")
        guard try json.peekToken() == UInt8(ascii: "[") else {
            throw json.error("Expected the root directory")
        }
    }

    /// The next step, or nil at the end of the listing.
    public mutating func next() throws(HeadroomError) -> NcduEvent? {
        guard !hasEnded else { return nil }
        if depth > 0 {
            switch try json.peekToken() {
            case UInt8(ascii: "]"):
                json.skip()
                depth -= 1
                if depth == 0 { try readTail() }
                return .endDirectory
            case UInt8(ascii: ","): json.skip()
            default: throw json.error("Expected a comma or the end of the directory")
            }
        }
        switch try json.peekToken() {
        case UInt8(ascii: "["):
            json.skip()
            guard depth < limits.depth else {
                throw json.error("Directories lie more than \(limits.depth) deep")
            }
            depth += 1
            return .beginDirectory(try readEntry(isRoot: depth == 1))
        case UInt8(ascii: "{"):
            return .file(try readEntry(isRoot: false))
        default:
            throw json.error("Expected a file or a directory")
        }
    }

    /// What follows the root: nothing today, perhaps more in a later minor version.
    private mutating func readTail() throws(HeadroomError) {
        while try json.peekToken() == UInt8(ascii: ",") {
            json.skip()
            try json.skipValue()
        }
        try json.expect("]", "the end of the listing")
        try json.expectEnd()
        hasEnded = true
    }

    private mutating func readMetadata() throws(HeadroomError) {
        try json.expect("{", "the description of the listing")
        while let key = try json.nextKey() {
            switch key {
            case "progname":
                program = String(decoding: try json.string(limit: 1_024, "progname"), as: UTF8.self)
            case "timestamp":
                timestamp = Timestamp(seconds: try json.wholePart("timestamp"))
            default: try json.skipValue()
            }
        }
    }

    private mutating func readEntry(isRoot: Bool) throws(HeadroomError) -> NcduEntry {
        try json.expect("{", "what describes a file or directory")
        var entry = NcduEntry(name: [])
        var extended = NcduEntry.Extended()
        while let key = try json.nextKey() {
            switch key {
            case "name": entry.name = try json.string(limit: limits.nameLength, "name")
            case "asize": entry.logicalSize = ByteCount(try json.integer("asize"))
            case "dsize": entry.allocatedSize = ByteCount(try json.integer("dsize"))
            case "dev": entry.device = try json.integer("dev")
            case "ino": entry.inode = try json.integer("ino")
            case "hlnkc": entry.isHardLink = try json.boolean("hlnkc")
            case "nlink": entry.linkCount = try json.integer("nlink")
            case "read_error": entry.hasReadError = try json.boolean("read_error")
            case "notreg": entry.isNotRegular = try json.boolean("notreg")
            case "excluded":
                let reason = try json.string(limit: 64, "excluded")
                entry.exclusion = NcduEntry.Exclusion(String(decoding: reason, as: UTF8.self))
            case "uid": extended.owner = try json.integer("uid")
            case "gid": extended.group = try json.integer("gid")
            case "mode": extended.mode = try json.integer("mode")
            case "mtime": extended.modified = Timestamp(seconds: try json.wholePart("mtime"))
            default: try json.skipValue()
            }
        }
        if !extended.isEmpty { entry.extended = extended }
        try check(entry.name, isRoot: isRoot)
        return entry
    }

    private borrowing func check(_ name: [UInt8], isRoot: Bool) throws(HeadroomError) {
        guard !name.isEmpty else { throw json.error("A file or directory has no name") }
        guard !name.contains(0) else { throw json.error("A name contains a NUL byte") }
        guard !isRoot else { return }
        guard !name.contains(UInt8(ascii: "/")), name != [0x2E], name != [0x2E, 0x2E] else {
            throw json.error("A name is a path")
        }
    }
}

extension JSONTokenizer {
    /// The whole part of a number, clamped to the range of the type.
    fileprivate mutating func wholePart(_ what: String) throws(HeadroomError) -> Int64 {
        let value = Double(try number(what)) ?? .infinity
        return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }

    /// Recognizes listings in other formats, and says how to convert them.
    fileprivate mutating func rejectOtherFormats() throws(HeadroomError) {
        switch try peekToken() {
        case 0xBF:
            throw error("This is ncdu's binary format; export with “ncdu -o” instead of “-O”")
        case 0x1F, 0x28, 0xFD, 0x42:
            throw error("This listing is compressed; unpack it first")
        default: break
        }
    }
}
