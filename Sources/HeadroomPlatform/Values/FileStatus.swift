//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What kind of object a directory entry is.
public enum FileType: UInt8, Hashable, Sendable, CaseIterable {
    case regular
    case directory
    case symbolicLink
    case fifo
    case socket
    case characterDevice
    case blockDevice
    /// The file system did not tell (`DT_UNKNOWN`), or told something that this system does not know.
    case unknown
}

/// Names one file within the machine, as long as it exists: device and inode number.
public struct FileIdentity: Hashable, Sendable {
    /// The device number, major in the upper and minor in the lower 32 bits.
    public var device: UInt64
    public var inode: UInt64

    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// What `statx(2)`, or `fstatat(2)` where there is no statx, says about one file.
public struct FileStatus: Hashable, Sendable {
    public var identity: FileIdentity
    /// The mount the file was reached by (`STATX_MNT_ID`); 0 where the system does not tell.
    public var mountID: UInt64
    public var type: FileType
    /// The lower twelve bits of the mode: permissions, set-id and sticky bits.
    public var permissions: UInt16
    public var linkCount: UInt32
    public var owner: UInt32
    public var group: UInt32
    /// `st_size`.
    public var logicalSize: ByteCount
    /// `st_blocks` × 512: what the file occupies.
    public var allocatedSize: ByteCount
    public var accessed: Timestamp
    public var modified: Timestamp
    public var changed: Timestamp
    /// Birth time, where the file system keeps one.
    public var created: Timestamp?
    /// The root of a mount (`STATX_ATTR_MOUNT_ROOT`); false where the system does not tell.
    public var isMountRoot: Bool
    /// Immutable or append-only: cannot be unlinked, not even by root.
    public var isImmutable: Bool
    /// The no-dump flag (`STATX_ATTR_NODUMP`, `UF_NODUMP`): backups may leave it out. False where the
    /// system does not tell.
    public var isNoDump: Bool

    public init(
        identity: FileIdentity, mountID: UInt64, type: FileType, permissions: UInt16,
        linkCount: UInt32, owner: UInt32, group: UInt32, logicalSize: ByteCount,
        allocatedSize: ByteCount, accessed: Timestamp, modified: Timestamp, changed: Timestamp,
        created: Timestamp?, isMountRoot: Bool, isImmutable: Bool, isNoDump: Bool = false
    ) {
        self.identity = identity
        self.mountID = mountID
        self.type = type
        self.permissions = permissions
        self.linkCount = linkCount
        self.owner = owner
        self.group = group
        self.logicalSize = logicalSize
        self.allocatedSize = allocatedSize
        self.accessed = accessed
        self.modified = modified
        self.changed = changed
        self.created = created
        self.isMountRoot = isMountRoot
        self.isImmutable = isImmutable
        self.isNoDump = isNoDump
    }
}
