//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Tree {
    // MARK: - Special files

    /// Makes a further name for a file.
    public func hardLink(_ path: TreePath, to existing: TreePath) throws {
        guard let name = existing.names.last else {
            throw FixtureError("linkat", on: "the root of a tree", errno: .notPermitted)
        }
        let source = try open(existing.directory)
        unsafe try inParent(of: path, creating: true, "linkat") { parent, link in
            name.withEntryName {
                unsafe linkat(source.rawValue, $0.base, parent, link, 0)
            }
        }
    }

    /// Makes a symbolic link with the given text, which need not lead anywhere.
    public func symbolicLink(_ path: TreePath, to target: String) throws {
        unsafe try inParent(of: path, creating: true, "symlinkat") { parent, name in
            unsafe symlinkat(target, parent, name)
        }
    }

    /// Makes a FIFO: whoever opens it for reading hangs until a writer comes.
    public func fifo(_ path: TreePath) throws {
        unsafe try inParent(of: path, creating: true, "mkfifoat") { parent, name in
            unsafe mkfifoat(parent, name, 0o644)
        }
    }

    #if os(Linux)
    /// Makes a socket that nobody listens on.
    public func socket(_ path: TreePath) throws {
        unsafe try inParent(of: path, creating: true, "mknodat") { parent, name in
            unsafe mknodat(parent, name, S_IFSOCK | 0o644, 0)
        }
    }

    /// Makes a character device like `/dev/null`. Needs root.
    public func nullDevice(_ path: TreePath) throws {
        unsafe try inParent(of: path, creating: true, "mknodat") { parent, name in
            unsafe mknodat(parent, name, S_IFCHR | 0o644, dev_t(1 << 8 | 3))
        }
    }
    #endif

    // MARK: - Changes

    /// Renames an entry; an existing file of the new name is replaced.
    public func rename(_ path: TreePath, to newPath: TreePath) throws {
        guard let name = path.names.last else {
            throw FixtureError("renameat", on: "the root of a tree", errno: .resourceBusy)
        }
        let source = try open(path.directory)
        unsafe try inParent(of: newPath, creating: true, "renameat") { parent, newName in
            name.withEntryName {
                unsafe renameat(source.rawValue, $0.base, parent, newName)
            }
        }
    }

    /// Removes a file or a whole directory, never entering another mount.
    public func remove(_ path: TreePath) throws {
        if try status(of: path).type == .directory {
            try TreeWalk(root: self.path(path)).removeContents()
            unsafe try inParent(of: path, creating: false, "rmdir") { parent, name in
                unsafe unlinkat(parent, name, Int32(AT_REMOVEDIR))
            }
        } else {
            unsafe try inParent(of: path, creating: false, "unlink") { parent, name in
                unsafe unlinkat(parent, name, 0)
            }
        }
    }

    /// Sets the permissions of an entry that is not a link, or of the root for an empty path.
    public func setPermissions(_ permissions: UInt16, of path: TreePath) throws {
        guard !path.names.isEmpty else {
            let directory = try open()
            return try check("fchmod", path, fchmod(directory.rawValue, mode_t(permissions)))
        }
        unsafe try inParent(of: path, creating: false, "fchmodat") { parent, name in
            unsafe fchmodat(parent, name, mode_t(permissions), 0)
        }
    }

    // MARK: - Status

    /// The status of an entry, or of the root for an empty path, not following links.
    public func status(of path: TreePath) throws -> FileStatus {
        do {
            guard let name = path.names.last else {
                let directory = try open()
                return try calls.status(of: directory.rawValue)
            }
            let parent = try open(path.directory)
            return try name.withEntryName { try calls.status(of: $0, at: parent.rawValue) }
        } catch let error as Errno {
            throw FixtureError("status", on: "\(root)/\(path)", errno: error)
        }
    }

    /// Whether there is an entry of that path, be it a dangling link.
    public func exists(_ path: TreePath) -> Bool {
        // Whatever keeps it from being looked at, a test that asks sees it as missing.
        (try? status(of: path)) != nil
    }

    /// The names in a directory, sorted by their bytes.
    public func names(in path: TreePath = TreePath()) throws -> [FileName] {
        let directory = try open(path)
        return try DirectoryListing.read(directory.rawValue).map(\.name)
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private var calls: any FileSystemCalls { NativeCalls.make() }
}
