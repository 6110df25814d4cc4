//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// The guarded places of all layouts, found by what they are and not by how a path is spelled.
///
/// A place is known by its device and inode, and by where it lies in its file system, so that `..`,
/// links and bind mounts lead to the same answer.
struct GuardIndex: Sendable {
    struct Entry: Sendable {
        let place: GuardedPlace
        /// The root of the layout it is from.
        let layoutRoot: FilePath
        let identity: FileIdentity
        let ancestors: Set<FileIdentity>
        let location: MountTable.Location?
    }

    private let entries: [Entry]
    private let byIdentity: [FileIdentity: [Int]]
    private let mounts: MountTable

    /// Looks the places up; one that is not there guards nothing, since nobody can name it.
    init(_ layouts: [Layout], mounts: MountTable) {
        var entries: [Entry] = []
        for layout in layouts {
            for place in layout.guardedPlaces {
                guard let directory = try? ResolvedDirectory(place.path) else { continue }
                entries.append(
                    Entry(
                        place: place, layoutRoot: layout.root,
                        identity: directory.status.identity,
                        ancestors: Set(directory.ancestors.map(\.identity)),
                        location: mounts.location(
                            of: directory.path, mountID: directory.status.mountID)))
            }
        }
        self.entries = entries
        self.mounts = mounts
        byIdentity = Dictionary(grouping: entries.indices, by: { entries[$0].identity })
    }

    /// What stands in the way of a directory.
    struct Findings {
        /// Places that the directory is.
        var same: [Entry] = []
        /// Places that lie in it.
        var inside: [Entry] = []
        /// The innermost places it lies in, by each way of looking.
        var around: [Entry] = []
    }

    func findings(for directory: borrowing ResolvedDirectory) -> Findings {
        let identity = directory.status.identity
        let location = mounts.location(of: directory.path, mountID: directory.status.mountID)
        var findings = Findings()
        findings.same = (byIdentity[identity] ?? []).map { entries[$0] }
        findings.inside = entries.filter { entry in
            guard entry.identity != identity else { return false }
            if entry.ancestors.contains(identity) { return true }
            guard let location, let other = entry.location else { return false }
            return location != other && location.contains(other)
        }
        for ancestor in directory.ancestors {
            if let found = byIdentity[ancestor.identity] {
                findings.around = found.map { entries[$0] }
                break
            }
        }
        // By its place in the file system: a bind mount of something guarded is guarded.
        if let location {
            let enclosing = entries.filter { entry in
                guard let other = entry.location, entry.identity != identity else { return false }
                return other.contains(location)
            }
            let depth = enclosing.compactMap { $0.location?.path.depth }.max()
            findings.around += enclosing.filter { $0.location?.path.depth == depth }
        }
        return findings
    }
}
