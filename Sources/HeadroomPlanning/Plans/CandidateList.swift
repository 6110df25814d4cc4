//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform

/// Everything of an inventory that may go under a request, unordered; and why the rest may not.
struct CandidateList {
    var candidates: [Candidate] = []
    /// Main item → all items of its set, the main one first.
    var sets: [UInt32: [UInt32]] = [:]
    /// By directory number: belongs to a directory unit, which goes whole or stays whole.
    var isInUnit: [Bool] = []
    /// Inodes that go with a directory unit, by its number.
    var unitInodes: [UInt32: Int] = [:]
    var kept = KeptTotals()
    /// Why units, by directory number, and items are kept, where the code alone doesn't say it.
    var unitReasons: [UInt32: Reason] = [:]
    var itemReasons: [UInt32: Reason] = [:]
    /// What may go and is not among the candidates, since a request is met before it is its turn.
    var unlisted = KeptTotals.Entry()
}

/// What stays, by reason: the answer to "why not more?".
public struct KeptTotals: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var count = 0
        public var bytes: Int64 = 0
    }

    /// Sums by `Reason.Code`.
    public private(set) var byReason: [Reason.Code: Entry] = [:]

    mutating func add(_ code: Reason.Code, bytes: Int64, count: Int = 1) {
        byReason[code, default: Entry()].add(bytes: bytes, count: count)
    }
}

extension KeptTotals.Entry {
    mutating func add(bytes: Int64, count: Int = 1) {
        self.count &+= count
        self.bytes = self.bytes.addingClamped(bytes)
    }
}
