//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What a check, or emptying, of one purgeable directory has found and done.
public struct DirectoryCheck: Hashable, Sendable {
    public var registration: Registration
    /// What it occupied before; nil: it is missing or could not be looked at.
    public var usage: ByteCount?
    /// The items in it, before.
    public var items = 0
    /// What was purged; nil: nothing had to be.
    public var receipt: Receipt?
    /// Why it could not be checked, or not all of it: somebody else is at it, say.
    public var problem: Reason?

    package init(registration: Registration) {
        self.registration = registration
    }

    /// What was removed, by allocated size.
    public var freed: ByteCount { receipt?.expected ?? .zero }
}

/// What a check of purgeable directories has found and done.
public struct DirectoryChecks: Hashable, Sendable {
    /// In the order of their registration.
    public var directories: [DirectoryCheck] = []
    /// Age rules were left out, because the clock was moved by more than a day.
    public var ageRulesPaused = false

    package init() {}

    public var freed: ByteCount { directories.reduce(.zero) { $0 + $1.freed } }
}
