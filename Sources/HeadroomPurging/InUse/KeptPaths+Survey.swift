//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlanning
import HeadroomPlatform
package import SystemPackage

extension KeptPaths {
    /// Looks at all processes, mount namespaces and locks. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - roots: the plain paths of the directories that are scanned.
    ///   - areas: those that are declared in them.
    ///   - exclusions: paths that tmpfiles.d excludes.
    ///   - ownDirectories: where Headroom keeps its own files, in addition to its lock files.
    package static func survey(
        below roots: [FilePath], areas: [Area], exclusions: [Entry],
        ownDirectories: [FilePath] = []
    ) -> KeptPaths {
        guard !roots.isEmpty else { return .none }
        var kept = KeptPaths.none
        let processes = ProcessPathSurvey.capture(below: roots)
        kept.processes = processes
        // mutation: r43d-1
        kept.addProcesses(processes)
        kept.addSessionFiles(
            in: SessionFiles.directories(roots, areas), NamedProcess(processes.programs))
        // mutation: r43h-1
        kept.addOwnFiles(ownDirectories, below: roots)
        // mutation: r43f-2
        kept.addLockedAreas(areas, roots, LockTable.read())
        // mutation: r43f-1
        kept.entries += exclusions
        // Of a tree around a scanned directory, that directory alone is known to a plan.
        for entry in kept.entries where entry.extent == .tree {
            for root in roots where root != entry.path && root.lies(in: entry.path) {
                kept.entries.append(Entry(path: root, reason: entry.reason, extent: .tree))
            }
        }
        return kept
    }

    /// Why something is kept that is purged as a whole: a file, or a directory unit.
    ///
    /// - Parameter path: its plain path.
    /// - Returns: nil if no entry keeps it.
    /// - Complexity: O(entries).
    package func reason(forUnit path: FilePath) -> Reason? {
        entries.first { entry in
            entry.path.lies(in: path) || entry.extent == .tree && path.lies(in: entry.path)
        }?.reason
    }

    mutating func addProcesses(_ survey: ProcessPathSurvey) {
        // mutation: r43e-1
        for source in survey.mountSources {
            entries.append(
                Entry(
                    path: source.path, reason: Reason(.mountSource, "It is \(source.text)."),
                    extent: .tree))
        }
        // One entry for each path: many processes have the same environment.
        var known: Set<FilePath> = []
        for path in survey.paths where known.insert(path.path).inserted {
            entries.append(
                Entry(
                    path: path.path, reason: Reason(.process, "It is \(path.text)."),
                    extent: .unit))
        }
    }

    mutating func addSessionFiles(in directories: [FilePath], _ process: NamedProcess) {
        for directory in directories {
            // A directory that cannot be listed cannot be scanned either.
            let names = (try? ContainerDirectory(directory).names(in: nil) { _ in true }) ?? []
            for name in names {
                let path = directory.appending(name)
                let reason = SessionFiles.rule(for: name, in: directory)?.reason
                guard let reason = reason ?? process.reason(for: name, at: path) else {
                    continue
                }
                entries.append(Entry(path: path, reason: reason, extent: .tree))
            }
        }
    }

    /// Keeps Headroom's own files. Leftovers of an interrupted purge are deleted all the same.
    mutating func addOwnFiles(_ directories: [FilePath], below roots: [FilePath]) {
        let reason = Reason(.inUse, "Headroom keeps its own files there.")
        var own = directories
        for root in roots {
            // The owner of the root: root's locks for a user's areas are the user's.
            guard let owner = try? PathCalls.status(root).owner else { continue }
            own += LockBook.Location.standard(areaOwner: owner).map(\.path)
        }
        own += Self.lockDirectories(in: "/tmp")
        for directory in Set(own.map(\.settled))
        where roots.contains(where: { directory.lies(in: $0) && directory != $0 }) {
            entries.append(Entry(path: directory, reason: reason, extent: .tree))
        }
    }

    /// The lock directories of all users: `headroom-UID`, with that owner.
    private static func lockDirectories(in directory: FilePath) -> [FilePath] {
        let prefix = Array("headroom-".utf8)
        // A directory that cannot be listed has no entries that could be purged.
        let names =
            (try? ContainerDirectory(directory).names(in: nil) { $0.bytes.starts(with: prefix) })
            ?? []
        return names.compactMap { name in
            let path = directory.appending(name)
            let digits = String(decoding: name.bytes.dropFirst(prefix.count), as: UTF8.self)
            guard let user = UInt32(digits), let status = try? PathCalls.entryStatus(path),
                status.type == .directory, status.owner == user
            else { return nil }
            return path
        }
    }

    /// The areas whose lock files another process has locked.
    mutating func addLockedAreas(_ areas: [Area], _ roots: [FilePath], _ locks: LockTable) {
        for area in areas where !area.lockFiles.isEmpty {
            guard roots.contains(where: { $0.lies(in: area.root) || area.root.lies(in: $0) }),
                let reason = area.lockReason(locks)
            else { continue }
            entries.append(Entry(path: area.root, reason: reason, extent: .tree))
        }
    }

}

extension Area {
    /// Why the area is kept: another process has locked one of its lock files; nil if none has.
    func lockReason(_ locks: LockTable) -> Reason? {
        for file in lockFiles {
            // A lock file that does not exist is not locked.
            guard let status = try? PathCalls.status(file),
                let lock = locks.foreignLock(of: status.identity)
            else { continue }
            let holder =
                lock.process > 0
                ? RunningProcess.description(of: lock.process)
                : "a process that the system does not name"
            return Reason(.areaLocked, "\(holder) holds the lock \(file.displayText).")
        }
        return nil
    }
}
