//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Names one file across restarts and moves: file system, inode and birth time.
///
/// Device numbers change from boot to boot, so the ledger uses the file system's own id
/// (`f_fsid` of statfs(2)). The birth time tells a file from a later one with the same inode.
public struct FileKey: Hashable, Sendable {
    public var fileSystemID: UInt64
    public var inode: UInt64
    /// Birth time in nanoseconds since 1970; 0 where the file system keeps none.
    public var birth: Int64

    public init(fileSystemID: UInt64, inode: UInt64, birth: Int64) {
        self.fileSystemID = fileSystemID
        self.inode = inode
        self.birth = birth
    }
}
