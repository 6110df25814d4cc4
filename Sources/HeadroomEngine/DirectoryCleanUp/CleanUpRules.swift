//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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

    public static let standardAge: Duration = .seconds(7 * 86400)
    public static let standardSize: ByteCount = .mebibytes(500)

    public init(
        maxAge: Duration? = standardAge, maxSize: ByteCount? = standardSize,
        sparing: Sparing = .nothing
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
    /// What it should be trimmed to and stays above, since the rest may not go.
    public var excess = ByteCount.zero
    /// Of the purge; nil: nothing had to go.
    public var receipt: Receipt?

    /// What was removed, by allocated size.
    public var freed: ByteCount { receipt?.expected ?? .zero }
    public var removed: Int { receipt?.removedCount ?? 0 }

    package init(before: ByteCount) {
        self.before = before
    }
}
