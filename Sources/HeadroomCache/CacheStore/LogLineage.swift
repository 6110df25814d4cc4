//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

/// Which logs of a store follow each other: a snapshot has all that the one before it had.
///
/// A log that was lost and made anew, and an older one that was put in its place, do not follow what a process has
/// read: it may know of records that they do not tell of, and the other way round.
struct LogLineage: Hashable, Sendable {
    /// How far a log was read, and in which file: copies have the same number.
    struct Reading: Hashable {
        /// Of the file.
        var inode: UInt64 = 0
        var end: UInt64 = 0
    }

    /// A log that was replaced by a snapshot, and what it was then.
    private struct Ancestor: Hashable {
        var id: UInt64
        var reading: Reading
    }

    /// Drawn for each snapshot.
    private var id: UInt64 = 0
    /// The last first.
    private var ancestors: [Ancestor] = []

    /// A process that has slept through more snapshots than this takes the log for another one.
    private static let memory = 1024

    static func new() -> LogLineage {
        var new = LogLineage()
        new.id = .random(in: 1...UInt64.max)
        return new
    }

    /// That of a snapshot that replaces a log which is so long now.
    func next(replacing reading: Reading) -> LogLineage {
        var next = Self.new()
        next.ancestors = [Ancestor(id: id, reading: reading)] + ancestors.prefix(Self.memory - 1)
        return next
    }

    /// Whether it has all of a log that was read so far. An older copy that was made longer by others is a branch,
    /// and not a successor.
    func follows(_ other: LogLineage, readTo reading: Reading) -> Bool {
        ancestors.contains {
            $0.id == other.id && $0.reading.inode == reading.inode && $0.reading.end >= reading.end
        }
    }

    /// Whether another is the same, or one from which this one came.
    func isOrFollows(_ other: LogLineage) -> Bool {
        id == other.id || ancestors.contains { $0.id == other.id }
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(id)
        for ancestor in ancestors {
            writer.integer(ancestor.id)
            writer.integer(ancestor.reading.inode)
            writer.integer(ancestor.reading.end)
        }
    }
}

extension LogLineage {
    /// - Returns: nil if nothing of the kind follows.
    init?(_ reader: inout ByteReader) {
        guard let id = try? reader.integer(UInt64.self) else { return nil }
        self.id = id
        while let ancestor = try? reader.integer(UInt64.self),
            let inode = try? reader.integer(UInt64.self),
            let end = try? reader.integer(UInt64.self)
        {
            ancestors.append(Ancestor(id: ancestor, reading: Reading(inode: inode, end: end)))
        }
    }
}
