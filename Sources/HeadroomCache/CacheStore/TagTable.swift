//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which entries have which tags: hashes of both, 16 to 40 bytes for each pair.
///
/// An entry may have been replaced since by one without the tag: its record says.
struct TagTable: Sendable {
    private(set) var hashes: [UInt64: Set<UInt64>] = [:]
    /// Pairs.
    private(set) var count = 0
    /// With so many it is time to leave out what is not there any more.
    private var due = leastDue
    private static let leastDue = 4096

    mutating func add(_ hash: UInt64, to tag: UInt64) {
        if hashes[tag, default: []].insert(hash).inserted { count += 1 }
    }

    mutating func remove(_ hash: UInt64, from tag: UInt64) {
        if hashes[tag]?.remove(hash) != nil { count -= 1 }
        if hashes[tag]?.isEmpty == true { hashes[tag] = nil }
    }

    /// Whether there are twice as many pairs as when they were looked through last.
    var isDue: Bool { count >= due }

    /// Leaves out entries that are gone.
    mutating func keep(where isThere: (_ hash: UInt64) -> Bool) {
        hashes = hashes.compactMapValues { members in
            let left = members.filter(isThere)
            return left.isEmpty ? nil : left
        }
        count = hashes.values.reduce(0) { $0 + $1.count }
        due = max(Self.leastDue, 2 * count)
    }

    /// Of the tables, about.
    var memory: Int { count * 16 + hashes.count * 64 }
}

/// The tags of an entry as they stand on disk, in front of its metadata: how many, and each after its
/// length, in a byte each.
enum EncodedTags {
    static func encoded(_ tags: [String], _ metadata: [UInt8]) -> [UInt8] {
        if tags.isEmpty { return metadata }
        var bytes = [UInt8(clamping: tags.count)]
        for tag in tags {
            let text = tag.utf8
            bytes.append(UInt8(clamping: text.count))
            bytes += text
        }
        return bytes + metadata
    }

    /// - Returns: nil if they cannot be read.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> (tags: [String], metadata: [UInt8])? {
        guard let count = bytes.first else { return nil }
        var rest = bytes.dropFirst()
        var tags: [String] = []
        for _ in 0..<count {
            guard let length = rest.first, rest.count > Int(length) else { return nil }
            tags.append(String(decoding: rest.dropFirst().prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst(1 + Int(length))
        }
        return (tags, Array(rest))
    }
}
