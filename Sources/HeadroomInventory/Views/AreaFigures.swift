//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// What one area occupied.
public struct AreaFigures: Hashable, Sendable {
    public var root: FilePath
    /// As it is declared.
    public var purgeClass: PurgeClass
    /// Areas inside it not included.
    public var allocated: ByteCount
    public var items: Int
    /// What of it may go.
    public var purgeable = ByteCount.zero
    /// The largest that was written lately, the largest first.
    public var recent: [RecentItem] = []

    public init(root: FilePath, purgeClass: PurgeClass, allocated: ByteCount, items: Int) {
        self.root = root
        self.purgeClass = purgeClass
        self.allocated = allocated
        self.items = items
    }
}

/// Something that was made or written to lately.
public struct RecentItem: Hashable, Sendable {
    public var path: FilePath
    public var allocated: ByteCount
    /// The later of its birth and its last modification.
    public var written: Timestamp

    public init(path: FilePath, allocated: ByteCount, written: Timestamp) {
        self.path = path
        self.allocated = allocated
        self.written = written
    }
}

/// What a cache store occupied, and what was done with it.
public struct CacheStoreFigures: Hashable, Sendable {
    public var path: FilePath
    public var allocated: ByteCount
    /// Since the store was made, as far as those who use it have told its log.
    public var totals: CacheTotals

    public init(path: FilePath, allocated: ByteCount, totals: CacheTotals) {
        self.path = path
        self.allocated = allocated
        self.totals = totals
    }
}
