//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Goes through everything below a directory, children before their parents.
///
/// Uses two descriptors and no stack, however deep the tree; never enters another mount, so that a
/// bind mount left behind by a failed test loses nothing.
struct TreeWalk {
    private struct Level {
        var name: FileName?
        var identity: FileIdentity
        var pending: [FileName]
    }

    let root: FilePath

    /// Calls `body` for each entry but the root, with an open descriptor of its parent.
    ///
    /// Mount points below are not visited. What vanishes meanwhile is passed over.
    func visit(
        forcing: Bool = false,
        _ body: (_ parent: Int32, _ entry: DirectoryListing.Entry) throws -> Void
    ) throws {
        var current = try Tree(root: root).open()
        var levels = [try enter(&current, nil, body)]
        while let level = levels.last {
            guard let name = level.pending.last else {
                levels.removeLast()
                guard let parent = levels.last, let finished = level.name else { return }
                current = try up(from: current, expecting: parent.identity)
                try body(
                    current.rawValue, DirectoryListing.Entry(name: finished, type: .directory))
                continue
            }
            levels[levels.count - 1].pending.removeLast()
            guard let child = try open(name, at: current.rawValue, forcing: forcing) else {
                continue
            }
            current = Descriptor(owning: child)
            levels.append(try enter(&current, name, body))
        }
    }

    /// Deletes everything below the root that is on the same mount, whatever its permissions.
    func removeContents() throws {
        try visit(forcing: true) { parent, entry in
            let flags = entry.type == .directory ? Int32(AT_REMOVEDIR) : 0
            let result = entry.name.withEntryName { name in
                var result = unsafe unlinkat(parent, name.base, flags)
                #if os(Linux)
                if result != 0, errno == EPERM {
                    unsafe Self.clearInodeFlags(name.base, at: parent)
                    result = unsafe unlinkat(parent, name.base, flags)
                }
                #endif
                return result
            }
            if result != 0, errno != ENOENT {
                throw FixtureError("unlinkat", on: entry.name.text, errno: .current)
            }
        }
    }

    /// Visits the files of a directory that was just opened and notes its subdirectories.
    private func enter(
        _ directory: inout Descriptor, _ name: FileName?,
        _ body: (_ parent: Int32, _ entry: DirectoryListing.Entry) throws -> Void
    ) throws -> Level {
        let descriptor = directory.rawValue
        let identity = try POSIXCalls().status(of: descriptor).identity
        var level = Level(name: name, identity: identity, pending: [])
        for entry in try DirectoryListing.read(descriptor) {
            if entry.type == .directory {
                level.pending.append(entry.name)
            } else {
                try body(descriptor, entry)
            }
        }
        return level
    }

    private func open(_ name: FileName, at parent: Int32, forcing: Bool) throws -> Int32? {
        #if os(Linux)
        let calls = LinuxCalls()
        #else
        let calls = POSIXCalls()
        #endif
        for attempt in 0..<2 {
            do throws(Errno) {
                return try name.withEntryName { (entry) throws(Errno) -> Int32 in
                    try calls.openDirectory(entry, at: parent, crossingMounts: false)
                }
            } catch {
                switch error {
                case .improperLink, .noSuchFileOrDirectory:
                    return nil
                case .permissionDenied where forcing && attempt == 0:
                    _ = name.withEntryName { unsafe fchmodat(parent, $0.base, 0o700, 0) }
                default:
                    throw error
                }
            }
        }
        return nil
    }

    private func up(from child: consuming Descriptor, expecting identity: FileIdentity) throws
        -> Descriptor
    {
        let opened = unsafe hr_openat(child.rawValue, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard opened >= 0 else { throw FixtureError("open", on: "..", errno: .current) }
        let parent = Descriptor(owning: opened)
        guard try POSIXCalls().status(of: opened).identity == identity else {
            throw FixtureError("walk", on: root.description, details: "the tree moved meanwhile")
        }
        return parent
    }

    #if os(Linux)
    /// Takes immutable and append-only from an entry and its directory, which keep root from it.
    private static func clearInodeFlags(_ name: UnsafePointer<CChar>, at parent: Int32) {
        var none = 0
        _ = unsafe hr_set_inode_flags(parent, &none)
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = unsafe hr_openat(parent, name, flags, 0)
        guard opened >= 0 else { return }
        let file = Descriptor(owning: opened)
        _ = unsafe hr_set_inode_flags(file.rawValue, &none)
    }
    #endif
}
