//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomPlatform

/// How a directory is cleaned up by age and size.
public struct CleanUpRules: Hashable, Sendable {
    /// What was last used longer ago goes; nil: age does not matter.
    public var maxAge: Duration?
    /// What the directory is trimmed to then, by allocated size, least recently used first; nil: as
    /// large as it is.
    public var maxSize: ByteCount?
    /// What stays all the same.
    public var sparing: Sparing

    // mutation: r21a-5
    public static let standardAge: Duration = .seconds(7 * 86400)
    public static let standardSize: ByteCount = .mebibytes(500)

    /// Seven days, and 500 MiB.
    public static let standard = CleanUpRules(maxAge: standardAge, maxSize: standardSize)

    public init(
        maxAge: Duration? = nil, maxSize: ByteCount? = nil, sparing: Sparing = .nothing
    ) {
        self.maxAge = maxAge
        self.maxSize = maxSize
        self.sparing = sparing
    }
}

/// What a clean-up has found and done.
public struct CleanUpReport: Hashable, Sendable {
    /// What the directory occupied before.
    public var before: ByteCount
    /// By how much it is still larger than it should be: the rest is in use, pinned or protected.
    public var excess = ByteCount.zero
    /// Of the purges: one, and one more for each time that files were in use and others had to be purged
    /// in their place; empty: nothing had to be purged.
    public var receipts: [Receipt] = []

    /// Of the last purge; nil: nothing had to be purged.
    public var receipt: Receipt? { receipts.last }

    /// What was removed, by allocated size.
    public var freed: ByteCount { receipts.reduce(.zero) { $0 + $1.expected } }
    public var removed: Int { receipts.reduce(0) { $0 + $1.removedCount } }

    package init(before: ByteCount) {
        self.before = before
    }
}
