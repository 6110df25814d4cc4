//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// One mount: a file system, or a part of one, at one place in the file tree.
public struct Mount: Hashable, Sendable {
    /// The number that ``FileStatus/mountID`` carries; 0 where the system has none.
    public var id: UInt64
    /// The device number of the file system, in the form of ``FileIdentity/device``.
    ///
    /// For btrfs it is that of the file system, not of the subvolume that `stat` shows.
    public var device: UInt64
    /// Which directory of the file system is mounted: `/`, or the source of a bind mount.
    public var root: FilePath
    /// Where it is mounted.
    public var point: FilePath
    /// The name of the file-system type: `ext4`, `tmpfs`, `fuse.sshfs`.
    public var type: String
    /// What is mounted, for people: `/dev/vda1`, `server:/export`.
    public var source: String
    public var isReadOnly: Bool
    /// Reading a file does not change its access time, which then says nothing about its last use.
    public var isNoatime: Bool
    /// The directories that an overlay is made of; none for other types. As they were named when it was mounted: nobody
    /// knows where those lie that are relative, or have been moved since.
    public var layers: [FilePath]

    public init(
        id: UInt64, device: UInt64, root: FilePath, point: FilePath, type: String, source: String,
        isReadOnly: Bool, isNoatime: Bool, layers: [FilePath] = []
    ) {
        self.id = id
        self.device = device
        self.root = root
        self.point = point
        self.type = type
        self.source = source
        self.isReadOnly = isReadOnly
        self.isNoatime = isNoatime
        self.layers = layers
    }

    /// Whether the file system stores nothing: it shows the kernel's or a program's data as files.
    public var isPseudo: Bool { Self.pseudoTypes.contains(type) }

    /// Whether the file system is reached over a network, and may therefore not answer.
    public var isNetwork: Bool { Self.isNetwork(type) }

    /// The same, of the type alone.
    static func isNetwork(_ type: String) -> Bool { networkTypes.contains(type) }

    private static let pseudoTypes: Set<String> = [
        "autofs", "bdev", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "cpuset",
        "debugfs", "devfs", "devpts", "devtmpfs", "efivarfs", "fdescfs", "functionfs", "fusectl",
        "fuse.gvfsd-fuse", "fuse.lxcfs", "fuse.portal", "hugetlbfs", "ipathfs", "mqueue", "nsfs",
        "pipefs", "proc", "pstore", "ramfs", "resctrl", "rootfs", "rpc_pipefs", "securityfs",
        "selinuxfs", "smackfs", "sockfs", "sysfs", "tracefs", "usbfs", "xenfs",
    ]

    private static let networkTypes: Set<String> = [
        "9p", "afs", "afpfs", "ceph", "cifs", "fuse.ceph", "fuse.glusterfs", "fuse.rclone",
        "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
        "orangefs", "smb3", "smbfs", "webdav",
    ]
}
