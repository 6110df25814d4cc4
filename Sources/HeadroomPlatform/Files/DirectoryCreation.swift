//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Directories that are made when something is first put into them.
package enum DirectoryCreation {
    /// Opens a directory of the user's own by its path, making what is missing with mode 0700.
    ///
    /// Links on the way are followed, as the user has arranged them; the last component may be one.
    ///
    /// - Throws: `ENOENT` too where a link on the way leads nowhere: what it leads to is not made.
    package static func open(_ path: FilePath) throws(Errno) -> Descriptor {
        do {
            return try existing(path)
        } catch .noSuchFileOrDirectory {
            try make(path)
            return try existing(path)
        }
    }

    /// Opens a directory below an open one, without following links or entering mounts, making what
    /// is missing with mode 0700.
    package static func open(
        beneath root: Int32, _ names: [FileName], _ calls: any FileSystemCalls
    ) throws(Errno) -> Descriptor {
        do {
            return Descriptor(owning: try calls.openDirectory(beneath: root, path: names))
        } catch .noSuchFileOrDirectory {
            for count in 1...max(1, names.count) {
                let parent = Descriptor(
                    owning: try calls.openDirectory(
                        beneath: root, path: Array(names.prefix(count - 1))))
                guard count <= names.count else { break }
                try names[count - 1].withEntryName { (name) throws(Errno) in
                    try make(name, at: parent.rawValue)
                }
            }
            return Descriptor(owning: try calls.openDirectory(beneath: root, path: names))
        }
    }

    private static func make(_ name: EntryName, at parent: Int32) throws(Errno) {
        do {
            // mutation: r1b-1/1
            _ = try retrying { unsafe mkdirat(parent, name.base, 0o700) }
        } catch .fileExists {
            // Somebody else made it just now, or it is no directory: opening it tells.
        }
    }

    private static func make(_ path: FilePath) throws(Errno) {
        var missing = [path]
        var present: FilePath?
        while let innermost = missing.last {
            do {
                _ = try retrying {
                    // mutation: r1b-1/2
                    unsafe innermost.withPlatformString { unsafe mkdir($0, 0o700) }
                }
            } catch .fileExists {
                // As above.
                present = innermost
            } catch .noSuchFileOrDirectory {
                let parent = innermost.removingLastComponent()
                // What is there and has no room for it is a link that leads nowhere, or no place for directories.
                guard parent != innermost, !parent.isEmpty, parent != present else {
                    throw .noSuchFileOrDirectory
                }
                missing.append(parent)
                continue
            }
            missing.removeLast()
        }
    }

    /// Opens a directory by its absolute path, on which there may be no link.
    ///
    /// - Throws: `ELOOP` for a link; `ENOTSUP` where the system cannot tell in the same step.
    package static func existing(withoutLinks path: FileName) throws(Errno) -> Descriptor {
        #if os(Linux)
        guard LinuxCalls.isOpenat2Known else { throw .notSupported }
        return Descriptor(
            owning: try path.withEntryName { (path) throws(Errno) in
                try retrying {
                    unsafe hr_open_without_links(
                        AT_FDCWD, path.base, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
                }
            })
        #else
        throw .notSupported
        #endif
    }

    /// Opens a directory by its path; the last component may be a link.
    package static func existing(_ path: FilePath) throws(Errno) -> Descriptor {
        Descriptor(
            owning: try retrying {
                unsafe path.withPlatformString {
                    unsafe hr_openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
                }
            })
    }
}
