//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What a purge really did.
public struct Receipt: Hashable, Sendable {
    /// `2026-11-21-7f3a…`: the day it started and random hexadecimal digits.
    public var id: String
    public var started: Timestamp
    public var kind = Kind.purge
    /// Nil while it runs, and for ever if the process died.
    public var ended: Timestamp?
    public var outcome: Outcome
    /// Who asked: `headroom purge --free 5GB, user 1000, process 4711`.
    public var requester: String
    /// What was asked for: `free 5 GB`.
    public var target: String
    /// Bytes that the removed items were expected to free, hard links counted right.
    public var expected: ByteCount
    /// What the volumes gained by their own account (statvfs), summed over volumes; nil if unknown.
    public var volumeGained: ByteCount?
    /// Why expected and gained differ, a sentence each.
    public var differences: [String]
    /// Items that went: files, databases and directory units.
    public var removedCount: Int
    /// Directories that went because nothing was left in them. They are in ``removed`` and in the
    /// bytes, not in the counts of items.
    public var emptiedCount: Int
    public var skippedCount: Int
    /// Totals per class, in class order.
    public var perClass: [Total]
    /// Totals per area root.
    public var perArea: [Total]
    /// Totals per directory, the largest first, at most 200.
    public var perDirectory: [Total]
    /// The first 1,000 items that went; of a database each file, though it is one item.
    public var removed: [Removed]
    /// What stayed although planned, the first 10,000.
    public var skipped: [Skipped]
    /// What went wrong with the record itself: no journal, a full ledger.
    public var notes: [String]
    /// Where a system's trash has what a disposal has moved there.
    package var trashed: [Trashed] = []

    /// What was done.
    public enum Kind: String, Hashable, Sendable {
        /// A plan was carried out: what is in ``removed`` is gone.
        case purge
        /// A person's own choice of files was moved to the trash: ``removed`` are their old places, and
        /// nothing was freed.
        case disposal
        /// What was in the trash is back: ``removed`` are the places.
        case restoration
    }

    public enum Outcome: String, Hashable, Sendable {
        /// Running, or ended without a word: found so at the next start, it is reported.
        case started
        case completed
        /// Stopped by a signal or by the caller between two items.
        case interrupted
        /// Stopped by the circuit breaker.
        case broken
        /// The process died; found at a later start.
        case crashed
    }

    public struct Total: Hashable, Sendable {
        public var name: String
        public var bytes: ByteCount
        public var count: Int

        public init(name: String, bytes: ByteCount, count: Int) {
            self.name = name
            self.bytes = bytes
            self.count = count
        }
    }

    public struct Removed: Hashable, Sendable {
        public var path: FilePath
        public var bytes: ByteCount

        public init(path: FilePath, bytes: ByteCount) {
            self.path = path
            self.bytes = bytes
        }
    }

    public struct Skipped: Hashable, Sendable {
        public var path: FilePath
        public var reason: Reason

        public init(path: FilePath, reason: Reason) {
            self.path = path
            self.reason = reason
        }
    }

    public static let removedPathLimit = 1_000
    // mutation: r22e-1
    public static let skippedPathLimit = 10_000
    public static let directoryLimit = 200

    public init(id: String, started: Timestamp, requester: String, target: String) {
        self.id = id
        self.started = started
        self.requester = requester
        self.target = target
        outcome = .started
        expected = .zero
        differences = []
        removedCount = 0
        emptiedCount = 0
        skippedCount = 0
        perClass = []
        perArea = []
        perDirectory = []
        removed = []
        skipped = []
        notes = []
    }
}
