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

/// The directories around a directory, up to `/`, by every path that its mounts give it.
///
/// Found by `..` and descriptor, so that no name on the way can be exchanged. Where the walk leaves
/// a bind mount, it goes on from the directory's other places too: an area may enclose another by
/// an alias.
package struct DirectoryAncestry {
    /// The identities, innermost first, without the directory's own. No identity twice.
    package private(set) var identities: [FileIdentity] = []
    /// The first of them, or the directory itself, that is leased as a whole; or one in which something of it is
    /// mounted.
    package private(set) var leased: FileIdentity?

    private struct Place: Hashable {
        let identity: FileIdentity
        let mountID: UInt64
    }
    private var visited: Set<Place> = []
    private var known: Set<FileIdentity> = []
    // Without /proc there are no aliases to be found.
    private let mounts: MountTable

    /// Walks up from an open directory.
    ///
    /// - Throws: what `..` of a directory on the way throws: without search permission nothing can
    ///   be said.
    package init(of directory: Int32) throws(Errno) {
        mounts = (try? MountTable.current()) ?? MountTable([])
        let start = try Self.parent(".", of: directory)
        let status = try LinkedStatus.of(start.rawValue)
        known.insert(status.identity)
        let location = Self.location(of: start.rawValue, status, mounts)
        try climb(from: start, status)
        if leased == nil, let location { leased = leaseAround(location, status.mountID) }
    }

    private static func location(
        of directory: Int32, _ status: FileStatus, _ mounts: MountTable
    ) -> MountTable.Location? {
        // Where its file system is mounted once there is no need to ask.
        guard let own = mounts.mount(id: status.mountID),
            // mutation: s5a-2
            mounts.mounts.contains(where: { $0.id != own.id && $0.device == own.device }),
            let path = ResolvedDirectory.path(of: directory)
        else { return nil }
        return mounts.location(of: path, mountID: status.mountID)
    }

    /// The first directory leased as a whole in which something of the directory is mounted, or something that it
    /// lies in.
    ///
    /// - Parameter mountID: by which the directory was reached.
    private func leaseAround(_ location: MountTable.Location, _ mountID: UInt64) -> FileIdentity? {
        for mount in mounts.mounts where mount.id != mountID && mount.device == location.device {
            guard mount.root.lies(in: location.path) || location.path.lies(in: mount.root),
                // As an alias above.
                let point = try? PathCalls.open(mount.point, Self.flags(readable: true)),
                let status = try? LinkedStatus.of(point.rawValue), status.mountID == mount.id
            else { continue }
            var around = DirectoryAncestry(mounts: mounts)
            try? around.climb(from: point, status)
            // mutation: s5a-1
            if let leased = around.leased { return leased }
        }
        return nil
    }

    private init(mounts: MountTable) { self.mounts = mounts }

    private mutating func climb(
        from start: consuming Descriptor, _ startStatus: FileStatus
    ) throws(Errno) {
        var current = start
        var status = startStatus
        while visited.insert(Place(identity: status.identity, mountID: status.mountID)).inserted {
            if leased == nil, FileLock.isMarkedWhole(current.rawValue) { leased = status.identity }
            let parent: Descriptor
            do throws(Errno) {
                parent = try Self.parent("..", of: current.rawValue)
            } catch {
                // An app's sandbox ends here: what is around it can nobody lease who shares it.
                if Self.isOutsideOfSandbox(error) { return }
                throw error
            }
            let parentStatus = try LinkedStatus.of(parent.rawValue)
            if status.isMountRoot || parentStatus.mountID != status.mountID {
                // mutation: s8b-1
                for path in mounts.aliases(ofRootOf: status.mountID) {
                    try climb(alias: path, of: status)
                }
            }
            if known.insert(parentStatus.identity).inserted {
                identities.append(parentStatus.identity)
            }
            current = parent
            status = parentStatus
        }
    }

    private mutating func climb(alias path: FilePath, of status: FileStatus) throws(Errno) {
        // Hidden by another mount, or not for us to see: then nobody like us reaches it either.
        guard let alias = try? PathCalls.open(path, Self.flags(readable: false)) else { return }
        let aliasStatus = try LinkedStatus.of(alias.rawValue)
        guard aliasStatus.identity == status.identity else { return }
        try climb(from: alias, aliasStatus)
    }

    private static func isOutsideOfSandbox(_ error: Errno) -> Bool {
        #if os(Linux)
        false
        #else
        error == .notPermitted
        #endif
    }

    /// Opens `.` or `..`; for reading if that is allowed, since only then a lease can be seen.
    private static func parent(_ name: String, of directory: Int32) throws(Errno) -> Descriptor {
        do throws(Errno) {
            return Descriptor(
                owning: try retrying {
                    unsafe hr_openat(directory, name, flags(readable: true), 0)
                })
        } catch .permissionDenied {
            return Descriptor(
                owning: try retrying {
                    unsafe hr_openat(directory, name, flags(readable: false), 0)
                })
        }
    }

    private static func flags(readable: Bool) -> Int32 {
        #if os(Linux)
        O_DIRECTORY | O_CLOEXEC | (readable ? O_RDONLY : Int32(HR_O_PATH))
        #else
        O_DIRECTORY | O_CLOEXEC | (readable ? O_RDONLY : O_SEARCH)
        #endif
    }
}
