//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which logs of a store follow each other: a snapshot has all that the one before it had.
///
/// A log that was lost and made anew, and an older one that was put in its place, do not follow what a process has
/// read: it may know of records that they do not tell of, and the other way round.
struct LogLineage: Hashable, Sendable {
    /// A log that was replaced by a snapshot, and how long it was then.
    private struct Ancestor: Hashable {
        var id: UInt64
        var length: UInt64
    }

    /// Drawn for each snapshot.
    private var id: UInt64 = 0
    /// The last first.
    private var ancestors: [Ancestor] = []

    /// A process that has slept through more snapshots than this takes the log for another one.
    private static let memory = 64

    static func new() -> LogLineage {
        var new = LogLineage()
        new.id = .random(in: 1...UInt64.max)
        return new
    }

    /// That of a snapshot that replaces a log which is so long now.
    func next(replacing length: UInt64) -> LogLineage {
        var next = Self.new()
        next.ancestors = [Ancestor(id: id, length: length)] + ancestors.prefix(Self.memory - 1)
        return next
    }

    /// Whether it has all of a log that was read up to some length. An older copy that was made longer by others
    /// is a branch, and not a successor.
    func follows(_ other: LogLineage, readTo length: UInt64) -> Bool {
        ancestors.contains { $0.id == other.id && $0.length >= length }
    }

    /// Whether another is the same, or one from which this one came.
    func isOrFollows(_ other: LogLineage) -> Bool {
        id == other.id || follows(other, readTo: 0)
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(id)
        for ancestor in ancestors {
            writer.integer(ancestor.id)
            writer.integer(ancestor.length)
        }
    }
}

extension LogLineage {
    /// - Returns: nil if nothing of the kind follows.
    init?(_ reader: inout ByteReader) {
        guard let id = try? reader.integer(UInt64.self) else { return nil }
        self.id = id
        while let ancestor = try? reader.integer(UInt64.self),
            let length = try? reader.integer(UInt64.self)
        {
            ancestors.append(Ancestor(id: ancestor, length: length))
        }
    }
}
