//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform

/// What the inventory keeps of one directory: 144 bytes beside its name.
/// Sendable: what its pointer leads to is never changed, and lives as long as the inventory.
@usableFromInline
@safe package struct DirectoryRecord: @unchecked Sendable {  // The name it points to never changes.
    package static let none = UInt32.max

    package var parent: UInt32 = Self.none
    /// In a ``NameStore`` of the inventory.
    private var nameBase: UnsafePointer<CChar>
    private var nameCount: UInt16
    package var identity: FileIdentity
    package var mountID: UInt64
    package var allocated: Int64
    package var modified: UInt32
    package var created: UInt32
    package var fingerprint: UInt64
    /// Index of the area it belongs to; ``noArea`` outside of all.
    package var area: UInt16 = Self.noArea
    /// The effective mark, inherited parts included.
    package var mark = PackedMark.none
    package var owner: UInt32
    package var flags: Flags = []

    package var firstChild: UInt32 = Self.none
    package var nextSibling: UInt32 = Self.none
    @usableFromInline package var firstRun: UInt32 = Self.none
    package var totals = TreeTotals()

    package static let noArea = UInt16.max

    /// - Parameter name: in memory that lives as long as the record.
    init(name: EntryName, status: FileStatus, fingerprint: Fingerprint) {
        unsafe nameBase = name.base
        nameCount = UInt16(name.count)
        identity = status.identity
        mountID = status.mountID
        allocated = status.allocatedSize.bytes
        modified = UInt32(clampedSeconds: status.modified)
        created = status.created.map { UInt32(clampedSeconds: $0) } ?? 0
        self.fingerprint = fingerprint.rawValue
        owner = status.owner
    }

    /// A number that no directory has, within those of a root.
    static func vacant(root: DirectoryRecord, number: UInt32) -> DirectoryRecord {
        var record = root
        record.parent = number
        record.area = noArea
        record.mark = .none
        record.flags = .vacant
        record.firstChild = none
        record.nextSibling = none
        record.firstRun = none
        record.allocated = 0
        record.totals = TreeTotals()
        return record
    }

    /// Sets the flags that follow from the permissions and attributes of the directory.
    ///
    /// - Parameter user: the scanning user. For others than the owner, a directory counts as unwritable only if
    ///   neither group nor others may write: the user's groups and access control lists are not known here.
    mutating func setPermissionFlags(_ status: FileStatus, user: UInt32) {
        flags.subtract(.byPermissions)
        if status.permissions & 0o1002 == 0o1002 { flags.insert(.sticky) }
        if status.isImmutable { flags.insert(.immutable) }
        if user != 0, status.permissions & (status.owner == user ? 0o200 : 0o022) == 0 {
            flags.insert(.unwritable)
        }
    }

    /// Takes over what it says of itself now.
    mutating func take(
        _ status: FileStatus, fingerprint: UInt64, isInTick: Bool, user: UInt32
    ) {
        mountID = status.mountID
        allocated = status.allocatedSize.bytes
        modified = UInt32(clampedSeconds: status.modified)
        created = status.created.map { UInt32(clampedSeconds: $0) } ?? 0
        owner = status.owner
        self.fingerprint = fingerprint
        setPermissionFlags(status, user: user)
        if isInTick { flags.insert(.inTick) } else { flags.remove(.inTick) }
    }

    /// The same with another name, in memory that lives as long as the record.
    mutating func rename(_ name: EntryName) {
        unsafe nameBase = name.base
        nameCount = UInt16(name.count)
    }

    /// The effective mark, and on whose word its class holds.
    var held: HeldMark {
        let grantor =
            flags.contains(.grantedByNobody)
            ? HeldMark.nobody : flags.contains(.grantedByOwner) ? owner : nil
        return HeldMark(mark: mark.mark, grantor: grantor)
    }

    /// A copy of the name; empty for a root.
    package var name: FileName { entryName.owned }

    /// The name, valid as long as the inventory.
    package var entryName: EntryName { unsafe EntryName(nameBase, count: Int(nameCount)) }

    /// Computed constants and a ``contains(_:)`` of its own, both inlinable. Without them, other modules would compare flags
    /// through the protocol, for each directory of a plan. That is why they are public in a type that is not.
    public struct Flags: OptionSet {
        public let rawValue: UInt32

        @inlinable public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        @inlinable public func contains(_ flags: Flags) -> Bool {
            rawValue & flags.rawValue == flags.rawValue
        }

        @inlinable public func isDisjoint(with flags: Flags) -> Bool {
            rawValue & flags.rawValue == 0
        }

        /// It could not be opened or read to its end.
        @inlinable public static var unreadable: Flags { Flags(rawValue: 1) }
        /// Left over from a purge that was cut off; never shown as an item.
        @inlinable public static var reserved: Flags { Flags(rawValue: 2) }
        /// Files in it may carry marks.
        static var hasMarkedFiles: Flags { Flags(rawValue: 4) }
        /// Something on another file system lies in it.
        @inlinable public static var hasMounts: Flags { Flags(rawValue: 8) }
        /// Shared: everybody may write, only owners may delete.
        @inlinable public static var sticky: Flags { Flags(rawValue: 16) }
        /// The root of an area.
        @inlinable public static var areaRoot: Flags { Flags(rawValue: 32) }
        /// Its mark is damaged: everything below is treated as pinned.
        @inlinable public static var damagedMark: Flags { Flags(rawValue: 64) }
        /// An entry of it could not be examined.
        @inlinable public static var hasUnreadable: Flags { Flags(rawValue: 128) }
        /// A file in it is, by its name and size, a `CACHEDIR.TAG`.
        @inlinable public static var hasTag: Flags { Flags(rawValue: 256) }
        /// A file in it names, by its own name and size, a cache store.
        @inlinable public static var looksLikeStore: Flags { Flags(rawValue: 512) }
        /// No directory: a number kept free for one, in an inventory that follows changes.
        @inlinable public static var vacant: Flags { Flags(rawValue: 1024) }
        /// It had been changed in the same tick of the clock as it was looked at: what has appeared in it
        /// since may not show in its times.
        @inlinable public static var inTick: Flags { Flags(rawValue: 2048) }
        /// A file in it is called `HEAD`, as in a Git directory.
        static var hasHead: Flags { Flags(rawValue: 4096) }
        /// A file in it is called `.git`, as in a linked worktree or a submodule.
        static var hasGitFile: Flags { Flags(rawValue: 8192) }
        /// A file in it is called `pyvenv.cfg`, as in a Python virtual environment.
        static var hasVirtualEnvironment: Flags { Flags(rawValue: 16_384) }
        /// A file in it is called `CURRENT`, as in a LevelDB or RocksDB database.
        static var hasCurrent: Flags { Flags(rawValue: 32_768) }
        /// The name of a file in it starts with `MANIFEST-`, as in such a database.
        static var hasManifest: Flags { Flags(rawValue: 65_536) }
        /// It is immutable or append-only (`chattr +i`, `chattr +a`): nothing in it can be deleted.
        @inlinable public static var immutable: Flags { Flags(rawValue: 131_072) }
        /// Its permissions don't let the scanning user delete entries in it.
        @inlinable public static var unwritable: Flags { Flags(rawValue: 262_144) }

        /// A file in it has the name of one that a database server or LMDB keeps with its data.
        static var hasDatabaseFile: Flags { Flags(rawValue: 2_097_152) }
        /// A file in it has a name by which Fossil knows a checkout or a repository.
        static var hasFossilFile: Flags { Flags(rawValue: 4_194_304) }
        /// A file in it has a name by which browsers know a profile.
        @inlinable public static var hasBrowserFile: Flags { Flags(rawValue: 8_388_608) }
        /// A file in it is called `system.reg`, as in a Wine prefix.
        static var hasRegistryFile: Flags { Flags(rawValue: 16_777_216) }
        /// A file in it is called `config`, as in a backup repository.
        static var hasConfigFile: Flags { Flags(rawValue: 33_554_432) }
        /// A file in it is called `README`, as in a repository of Borg.
        static var hasReadMe: Flags { Flags(rawValue: 67_108_864) }
        /// The name of a file in it ends as that of a state of Terraform.
        @inlinable public static var hasStateFile: Flags { Flags(rawValue: 134_217_728) }
        /// The name of a file in it ends as that of a model's weights.
        @inlinable public static var hasWeights: Flags { Flags(rawValue: 268_435_456) }
        /// The name of a file in it ends as that of an image of a disk or a container.
        @inlinable public static var hasDiskImage: Flags { Flags(rawValue: 536_870_912) }
        /// A file in it has the name of a part: see ``ShardName``.
        static var hasShards: Flags { Flags(rawValue: 1_073_741_824) }

        /// The flags that follow from permissions and attributes.
        static var byPermissions: Flags { [.sticky, .immutable, .unwritable] }
        /// The flags that LevelDB and RocksDB databases have.
        static var database: Flags { [.hasCurrent, .hasManifest] }
        /// The flags that the names of files give a directory.
        static var byFileName: Flags {
            [
                .hasTag, .looksLikeStore, .hasHead, .hasGitFile, .hasVirtualEnvironment,
                .hasCurrent,
                .hasManifest, .hasDatabaseFile, .hasFossilFile, .hasBrowserFile, .hasRegistryFile,
                .hasConfigFile, .hasReadMe, .hasStateFile, .hasWeights, .hasDiskImage, .hasShards,
            ]
        }
        /// The flags of files that take hours to get again, or exist nowhere else.
        @inlinable public static var costly: Flags { [.hasWeights, .hasDiskImage] }
        /// The flags by which a single file shows a structure that is always kept.
        @inlinable public static var keptByFile: Flags { [.hasBrowserFile, .hasStateFile] }
        /// The class in its mark holds for the files of its owner alone: see ``HeldMark``.
        static var grantedByOwner: Flags { Flags(rawValue: 524_288) }
        /// The class in its mark only protects.
        static var grantedByNobody: Flags { Flags(rawValue: 1_048_576) }
    }
}

/// The sums over a directory and everything below it.
public struct TreeTotals: Hashable, Sendable {
    /// Bytes occupied, directories included; a file with several links counts where it was met
    /// first.
    public var allocated: Int64 = 0
    /// The sizes of regular files and symbolic links.
    public var logical: Int64 = 0
    /// Names that are not directories.
    public var files: Int = 0
    /// Directories below, without the directory itself.
    public var directories: Int = 0
    /// The latest modification, in seconds since 1970.
    public var newest: UInt32 = 0
    /// Directories below, the directory included, that could not be read.
    public var unreadable: Int = 0

    package init(
        allocated: Int64 = 0, logical: Int64 = 0, files: Int = 0, directories: Int = 0,
        newest: UInt32 = 0, unreadable: Int = 0
    ) {
        self.allocated = allocated
        self.logical = logical
        self.files = files
        self.directories = directories
        self.newest = newest
        self.unreadable = unreadable
    }

    mutating func add(_ other: TreeTotals) {
        allocated &+= other.allocated
        logical &+= other.logical
        files &+= other.files
        directories &+= other.directories
        newest = max(newest, other.newest)
        unreadable &+= other.unreadable
    }
}

/// Items of one directory that stand one behind the other.
@usableFromInline
package struct ItemRun: Sendable {
    @usableFromInline var firstItem: UInt32
    @usableFromInline package var count: UInt32
    @usableFromInline package var next: UInt32
}
