//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// A directory under one storage contract.
///
/// Below an area's root, the nearest declaration wins: a nested area, or a ``Mark`` on a directory
/// or file, replaces what the enclosing one says.
public struct Area: Hashable, Sendable {
    /// The absolute path of the directory. It is never deleted, only what it contains.
    public var root: FilePath
    public var purgeClass: PurgeClass
    public var unit: PurgeUnit
    /// How long content is kept before it counts as expired; nil: it never expires.
    public var retention: Duration?
    /// What the retention is measured from.
    public var ageBasis: AgeBasis
    /// The allocated bytes the area should stay under; nil: no limit.
    public var limit: ByteCount?
    /// What the area is shrunk to, as a percentage of its limit, once it is at the limit or above it;
    /// 100: it is shrunk to the limit itself, once it is above it.
    public var trimPercent: UInt8
    public var order: AreaOrder
    /// 0…100; within a rank the less important goes first.
    public var importance: UInt8
    /// Who declared it, for people: `XDG_CACHE_HOME`, `--as cache`, `registered by Podcaster`.
    public var origin: String
    /// The declaration allows the root to be the root of a mount.
    public var allowsMountRoot: Bool
    /// The entry of the catalogue of well-known caches that it is from; nil: somebody declared it.
    ///
    /// Such an area is a part of what it lies in: marks around it hold in it, class included, and what
    /// it holds counts when the area around it is shrunk.
    public var catalogueID: String?
    /// Lock files of the program whose cache this is, as absolute paths. While another process holds a lock
    /// on one of them, nothing in the area is purged; the files themselves are never purged.
    public var lockFiles: [FilePath] = []
    /// Files in the area that are essential although the area is not, as absolute paths.
    public var protectedFiles: [FilePath] = []
    /// Git repositories in the area are clones that a program created for itself and creates again. They
    /// are purgeable unless somebody worked in them.
    public var holdsClones = false
    /// What a person has thrown away lies there: the `files` of a trash directory. Its items are as old
    /// as their deletion, and go in ranks of their own.
    public package(set) var isTrash = false

    /// Headroom's own records lie there: no mark counts in it.
    public internal(set) var isSealed = false

    /// A configuration or registration declares it as essential. In a purge by root, marks of other
    /// users do not change that.
    public internal(set) var isDeclaredEssential = false

    /// What something in it is, of which marks say this. What a thing was worth before it was thrown away does not
    /// matter any more.
    package func effectiveClass(_ mark: Mark) -> PurgeClass {
        // mutation: s1e-3/1
        isTrash || isSealed ? purgeClass : mark.purgeClass?.purgeClass ?? purgeClass
    }

    /// The same, as one that a configuration or registration declares as essential.
    package var declaredEssential: Area {
        var area = self
        area.isDeclaredEssential = true
        return area
    }

    public static let defaultImportance: UInt8 = 50

    /// Whether what the area occupies is so much that it is to be shrunk.
    package func isOverLimit(_ usage: ByteCount) -> Bool {
        guard let limit else { return false }
        // mutation: r16a-2
        return trimPercent == 100 ? usage > limit : usage >= limit
    }

    /// What the area is shrunk to; nil without a limit.
    package var trimmedSize: ByteCount? {
        limit.map { ByteCount(Int64(Int128($0.bytes) * Int128(trimPercent) / 100)) }
    }

    public init(
        root: FilePath, purgeClass: PurgeClass, unit: PurgeUnit = .file,
        retention: Duration? = nil, ageBasis: AgeBasis = .used, limit: ByteCount? = nil,
        trimPercent: UInt8 = 100,
        order: AreaOrder = .leastRecentlyUsed, importance: UInt8 = Area.defaultImportance,
        origin: String, allowsMountRoot: Bool = false
    ) {
        self.root = root
        self.purgeClass = purgeClass
        self.unit = unit
        self.retention = retention
        self.ageBasis = ageBasis
        self.limit = limit
        self.trimPercent = min(trimPercent, 100)
        self.order = order
        self.importance = importance
        self.origin = origin
        self.allowsMountRoot = allowsMountRoot
    }
}

/// What goes whole.
public enum PurgeUnit: UInt8, Hashable, Sendable {
    /// Each file by itself; a database together with its sidecars.
    case file
    /// Each direct child of the area, with everything below it.
    case entry
    /// Each directory that contains no other area, as high in the tree as possible, with everything below it; files
    /// in directories that do contain one are purged one by one.
    ///
    /// For caches of unknown programs: nothing shows which of their files belong together.
    case directory
}

/// What the age of an item is measured from.
public enum AgeBasis: UInt8, Hashable, Sendable {
    /// Last use: the latest of modified, created, read (unless the volume is mounted noatime) and
    /// recorded use.
    case used
    case modified
    case created
}

/// Which of two items of one rank in one area goes first.
public enum AreaOrder: UInt8, Hashable, Sendable {
    case leastRecentlyUsed
    case oldestCreated
}
