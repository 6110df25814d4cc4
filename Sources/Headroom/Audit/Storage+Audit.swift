//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

extension Storage {
    /// What of this storage is backed up and how large that is, the largest files, and what is amiss:
    /// things that can be made again and bloat the backup, things a person made that are in none,
    /// marks that were lost, and what goes against the conventions of the platform.
    ///
    ///     let audit = try await storage.audit()
    ///     print(audit.backup.total.allocated, "are backed up")
    ///     for finding in audit.findings { print(finding.severity, finding.path, finding.text) }
    ///
    /// Covers all of a container; in a home on Linux, the owner's own directories, and Documents,
    /// Pictures and the other XDG user directories. Changes nothing. Blocks: scans once, and reads the
    /// beginnings of the largest files.
    ///
    /// - Throws: ``StorageError`` if a directory cannot be opened. Unreadable entries in it are counted
    ///   (``HeadroomWorkspace/Audit/unreadableCount``).
    /// - Complexity: O(files).
    public func audit(_ options: AuditOptions = .standard) throws(StorageError) -> Audit {
        do {
            return try core.workspace.audit(
                core.auditedPlaces, options: options, adding: core.auditedLayouts)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func audit(_ options: AuditOptions = .standard) async throws(StorageError) -> Audit {
        try await BlockingPool.shared.run { () throws(StorageError) -> Audit in
            try audit(options)
        }
    }

    /// Makes the safe repairs of an audit: leaves files out of backups that can be regenerated or
    /// downloaded again, and restores protecting marks. Moves and deletes nothing. Blocks; on disk when
    /// it returns.
    ///
    /// - Parameter allowingForeignPaths: as for ``mark(_:_:allowingForeignPaths:)``. If false, findings
    ///   outside of the app's own storage are not repaired, and have that as their failure.
    /// - Returns: the repairs that were made and those that failed, in the order of the findings.
    @discardableResult
    public func repair(
        _ audit: Audit, allowingForeignPaths: Bool = false
    ) -> [AuditRepair] {
        // mutation: r12e-1
        core.workspace.repair(audit, within: allowingForeignPaths ? nil : core.disposable)
    }

    /// The same without blocking.
    @discardableResult
    public func repair(
        _ audit: Audit, allowingForeignPaths: Bool = false
    ) async -> [AuditRepair] {
        await BlockingPool.shared.run {
            repair(audit, allowingForeignPaths: allowingForeignPaths)
        }
    }

    /// The largest files of each kind (by content), the largest first; with their last use. The files
    /// of cache stores are left out: a person cannot choose among them. Blocks as `audit(_:)` does.
    ///
    /// - Parameters:
    ///   - count: of each kind.
    ///   - unusedFor: only files whose last use is at least this long ago; nil: all.
    public func largestFiles(
        _ count: Int = 10, unusedFor: Duration? = nil
    ) throws(StorageError) -> [Audit.LargeFile] {
        var options = AuditOptions()
        options.largestPerKind = max(0, count)
        options.unusedFor = unusedFor
        return try audit(options).largest
    }

    /// The same without blocking.
    public func largestFiles(
        _ count: Int = 10, unusedFor: Duration? = nil
    ) async throws(StorageError) -> [Audit.LargeFile] {
        try await BlockingPool.shared.run { () throws(StorageError) -> [Audit.LargeFile] in
            try largestFiles(count, unusedFor: unusedFor)
        }
    }
}

extension StorageCore {
    /// The container; of a home, the owner's own directories and those of its people, as far as they
    /// are there.
    var auditedPlaces: [FilePath] {
        guard places.layout.kind == .xdg else { return [places.root] }
        let own = [places.appData, places.caches, places.temporary]
        // mutation: r13a-1
        return (own + places.personal.map(\.root)).filter { path in
            // What is not there yet has nothing to be looked at.
            (try? ResolvedDirectory(path)) != nil
        }
    }

    /// The user directories of a home as areas, for the audit alone.
    var auditedLayouts: [Layout] {
        guard !places.personal.isEmpty else { return [] }
        return [Layout(kind: .xdg, root: places.root, areas: places.personal)]
    }
}
