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
    /// Drawn when a log is made from nothing.
    private(set) var origin: UInt64 = 0
    /// How many snapshots have been written since.
    private(set) var count: UInt64 = 0

    /// That of the next snapshot.
    var next: LogLineage {
        var next = self
        next.count &+= 1
        return next
    }

    static func new() -> LogLineage {
        var new = LogLineage()
        new.origin = .random(in: 1...UInt64.max)
        return new
    }

    func follows(_ other: LogLineage) -> Bool { origin == other.origin && count > other.count }

    func write(to writer: inout ByteWriter) {
        writer.integer(origin)
        writer.integer(count)
    }
}

extension LogLineage {
    /// - Returns: nil if nothing of the kind follows.
    init?(_ reader: inout ByteReader) {
        guard let origin = try? reader.integer(UInt64.self),
            let count = try? reader.integer(UInt64.self)
        else { return nil }
        self.origin = origin
        self.count = count
    }
}
