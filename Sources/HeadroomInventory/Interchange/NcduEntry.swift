//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// One file or directory in an ncdu listing.
public struct NcduEntry: Hashable, Sendable {
    /// The bytes of the name; of the root, its absolute path.
    public var name: [UInt8]
    /// `asize`: the length in bytes.
    public var logicalSize: ByteCount
    /// `dsize`: what it occupies.
    public var allocatedSize: ByteCount
    /// `dev`: written where it differs from the directory around; nil: as there.
    public var device: UInt64?
    /// `ino`; needed to count the links of one file once.
    public var inode: UInt64?
    /// `hlnkc`: other links to the same file may stand elsewhere in the listing.
    public var isHardLink: Bool
    /// `nlink`.
    public var linkCount: UInt32?
    /// Why its content is not in the listing.
    public var exclusion: Exclusion?
    /// `read_error`: the directory, or something in it, could not be read.
    public var hasReadError: Bool
    /// `notreg`: neither a regular file nor a directory.
    public var isNotRegular: Bool
    /// The fields of ncdu's extended mode.
    public var extended: Extended?

    /// Why something was left out of a listing. New reasons may appear.
    public struct Exclusion: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        public init(_ description: String) {
            self.description = description
        }

        /// By a pattern.
        public static let pattern = Exclusion("pattern")
        /// On another file system.
        public static let otherFileSystem = Exclusion("otherfs")
        /// On a pseudo file system of the kernel.
        public static let kernelFileSystem = Exclusion("kernfs")
    }

    /// What ncdu's option `-e` adds.
    public struct Extended: Hashable, Sendable {
        public var owner: UInt32?
        public var group: UInt32?
        /// The whole `st_mode`.
        public var mode: UInt32?
        public var modified: Timestamp?

        public init(
            owner: UInt32? = nil, group: UInt32? = nil, mode: UInt32? = nil,
            modified: Timestamp? = nil
        ) {
            self.owner = owner
            self.group = group
            self.mode = mode
            self.modified = modified
        }

        var isEmpty: Bool { self == Extended() }
    }

    public init(
        name: [UInt8], logicalSize: ByteCount = .zero, allocatedSize: ByteCount = .zero,
        device: UInt64? = nil, inode: UInt64? = nil, isHardLink: Bool = false,
        linkCount: UInt32? = nil, exclusion: Exclusion? = nil, hasReadError: Bool = false,
        isNotRegular: Bool = false, extended: Extended? = nil
    ) {
        self.name = name
        self.logicalSize = logicalSize
        self.allocatedSize = allocatedSize
        self.device = device
        self.inode = inode
        self.isHardLink = isHardLink
        self.linkCount = linkCount
        self.exclusion = exclusion
        self.hasReadError = hasReadError
        self.isNotRegular = isNotRegular
        self.extended = extended
    }
}

/// One step through an ncdu listing, depth first.
public enum NcduEvent: Hashable, Sendable {
    case beginDirectory(NcduEntry)
    case file(NcduEntry)
    case endDirectory
}
