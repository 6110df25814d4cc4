//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Finds the way in which a directory tree can be watched.
package enum Watching {
    /// Why a tree cannot be watched.
    package enum Obstacle: Error, Hashable, Sendable {
        /// Others can change it without this system's knowledge, or it says nothing of changes.
        case fileSystem(String)
        /// The system refused.
        case system(Errno)
    }

    /// The file systems that change by this system's hand alone and say so. Of others (network, FUSE,
    /// the layers of an overlay) nothing is known, so they are looked at again.
    private static let telling: Set<String> = [
        "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs", "hfsplus", "jfs",
        "msdos", "nilfs2", "ntfs3", "ramfs", "reiserfs", "tmpfs", "udf", "ufs", "vfat", "xfs",
        "zfs",
    ]

    /// Whether changes in a file system of a type are told at all.
    package static func isTold(onType type: String) -> Bool { telling.contains(type) }

    /// Watches by fanotify where that is allowed and the file system can, else by inotify.
    ///
    /// Nothing is told before directories are handed to it.
    ///
    /// - Parameters:
    ///   - directory: the root of the tree, open.
    ///   - type: of its file system, as the table of mounts has it.
    ///   - mechanism: nil: the best one.
    package static func make(
        on directory: Int32, type: String, mechanism: WatchMechanism? = nil
    ) throws(Obstacle) -> any ChangeWatch {
        guard isTold(onType: type) else { throw .fileSystem(type) }
        #if os(Linux)
        if mechanism != .inotify {
            do throws(Errno) {
                let source = try FanotifySource()
                do throws(Errno) {
                    try source.mark(directory)
                } catch {
                    _ = Descriptor(owning: source.descriptor)
                    throw error
                }
                return try QueueWatch(source)
            } catch {
                if mechanism == .fanotify { throw .system(error) }
                // Not for us, or not on this file system: one directory at a time, then.
            }
        }
        do throws(Errno) {
            return try QueueWatch(try InotifySource())
        } catch {
            throw .system(error)
        }
        #else
        throw .system(.notSupported)
        #endif
    }
}
