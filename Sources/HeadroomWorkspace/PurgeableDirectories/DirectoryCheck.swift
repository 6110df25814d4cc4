//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What a check, or emptying, of one purgeable directory has found and done.
public struct DirectoryCheck: Hashable, Sendable {
    public var registration: Registration
    /// What it occupied before; nil: it is missing or could not be looked at.
    public var usage: ByteCount?
    /// The items in it, before.
    public var items = 0
    /// The items that were removed.
    public var removed = 0
    /// What was removed, by allocated size.
    public var freed = ByteCount.zero
    /// Why it could not be checked, or not all of it: somebody else is at it, say.
    public var problem: Reason?

    package init(registration: Registration) {
        self.registration = registration
    }
}

/// What a check of purgeable directories has found and done.
public struct DirectoryChecks: Hashable, Sendable {
    /// In the order of their registration.
    public var directories: [DirectoryCheck] = []
    /// Of the purges that were made: one, or one for each directory if one of them could not be purged.
    public var receipts: [Receipt] = []
    /// Age rules were left out, because the clock was moved by more than a day or the ledger was lost.
    public var ageRulesPaused = false

    package init() {}

    mutating func update(_ registration: Registration, _ body: (inout DirectoryCheck) -> Void) {
        guard let index = directories.firstIndex(where: { $0.registration == registration }) else {
            return
        }
        body(&directories[index])
    }

    public var freed: ByteCount { directories.reduce(.zero) { $0 + $1.freed } }
}
