//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The index of a Git repository: which files of the work tree Git knows, and in which state.
///
/// Reads the versions 2 to 4 of gitformat-index(5) with 20-byte hashes. The bytes are untrusted.
struct GitIndex {
    struct Entry {
        var path: [UInt8]
        /// Seconds since 1970, modulo 2³².
        var modified: UInt32
        /// Bytes, modulo 2³².
        var size: UInt32
    }

    private(set) var entries: [Entry] = []
    /// Whether the index is known to hold the tree of a commit: nothing was staged since.
    private(set) var isTreeOfCommit = false
    /// Whether an entry is in conflict, added without content, a submodule, or assumed to be unchanged.
    private(set) var hasSpecialEntries = false

    /// - Returns: nil if the bytes are not an index of Git.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12 + 20, bytes.starts(with: "DIRC".utf8) else { return nil }
        // The last 20 bytes are a checksum.
        var reader = Reader(bytes: bytes[..<(bytes.count - 20)], offset: 4)
        guard let version = reader.number(), (2...4).contains(version),
            let count = reader.number(), count <= 10_000_000
        else { return nil }
        var previous: [UInt8] = []
        entries.reserveCapacity(min(Int(count), 1 << 16))
        for _ in 0..<count {
            guard let entry = readEntry(&reader, version, &previous) else { return nil }
            entries.append(entry)
        }
        while reader.remaining >= 8 {
            guard let signature = reader.take(4), let size = reader.number(),
                let content = reader.take(Int(size))
            else { return nil }
            switch String(decoding: signature, as: UTF8.self) {
            case "TREE": isTreeOfCommit = Self.isComplete(tree: content)
            // A split index has its entries elsewhere.
            case "link": return nil
            default: continue
            }
        }
    }

    private mutating func readEntry(
        _ reader: inout Reader, _ version: UInt32, _ previous: inout [UInt8]
    ) -> Entry? {
        let start = reader.offset
        guard reader.take(8) != nil, let modified = reader.number(), reader.take(12) != nil,
            let mode = reader.number(), reader.take(8) != nil, let size = reader.number(),
            reader.take(20) != nil, let flags = reader.half()
        else { return nil }
        var extended: UInt16 = 0
        if flags & 0x4000 != 0 {
            guard version >= 3, let more = reader.half() else { return nil }
            extended = more
        }
        // Assumed to be unchanged, in conflict, added without content; a submodule.
        if flags & 0xB000 != 0 || extended & 0x2000 != 0 || mode & 0xF000 == 0xE000 {
            hasSpecialEntries = true
        }
        var path: [UInt8] = []
        if version == 4 {
            guard let dropped = reader.variableNumber(), dropped <= previous.count else {
                return nil
            }
            path = Array(previous.dropLast(dropped))
        }
        guard let name = reader.takeText() else { return nil }
        path += name
        if version < 4 {
            // Entries are padded with NULs to a multiple of eight bytes; the first was just read.
            let length = reader.offset - start
            guard reader.take((8 - length % 8) % 8) != nil else { return nil }
        }
        previous = path
        return Entry(path: path, modified: modified, size: size)
    }

    /// Whether the first entry of a cache tree, that of the root, is valid: `\0<count> <subtrees>\n`.
    private static func isComplete(tree content: ArraySlice<UInt8>) -> Bool {
        guard content.first == 0 else { return false }
        let count = content.dropFirst().prefix { $0 != 0x20 }
        return !count.isEmpty && count.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Reads big-endian numbers and texts, never past the end.
private struct Reader {
    let bytes: ArraySlice<UInt8>
    private(set) var offset: Int

    init(bytes: ArraySlice<UInt8>, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    var remaining: Int { bytes.endIndex - offset }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func number() -> UInt32? {
        take(4)?.reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func half() -> UInt16? {
        take(2)?.reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// A text up to a NUL, which is read too.
    mutating func takeText() -> ArraySlice<UInt8>? {
        guard let end = bytes[offset...].firstIndex(of: 0) else { return nil }
        defer { offset = end + 1 }
        return bytes[offset..<end]
    }

    /// A number in the encoding of pack offsets: seven bits a byte, each continuation adds one.
    mutating func variableNumber() -> Int? {
        guard var byte = take(1)?.first else { return nil }
        var value = Int(byte & 0x7F)
        while byte & 0x80 != 0 {
            guard value < 1 << 40, let next = take(1)?.first else { return nil }
            byte = next
            value = (value + 1) << 7 | Int(byte & 0x7F)
        }
        return value
    }
}
