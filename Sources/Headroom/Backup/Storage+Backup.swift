//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Leaves a file or directory, with all that is in it, out of backups.
    ///
    /// The mark `noBackup` says so to Headroom and its exclude lists, and to backup programs in every
    /// way that the file system can hold: on Apple platforms the resource value; elsewhere
    /// `CACHEDIR.TAG` in a directory, the attribute `user.xdg.robots.backup`, the no-dump flag. What
    /// `save` replaces keeps it; other programs that
    /// replace a file lose it, so a directory of its own is the safer place. Blocks; on disk when it
    /// returns.
    ///
    ///     try storage.excludeFromBackup(episodes)
    ///
    /// - Parameter allowingForeignPaths: as for ``mark(_:_:allowingForeignPaths:)``.
    /// - Returns: how it says so now: a dialect that is not among them could not be set.
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`; `refused` if it lies outside of the app's
    ///   storage, or is a place that has a role of its own.
    @discardableResult
    public func excludeFromBackup(
        _ url: URL, allowingForeignPaths: Bool = false
    ) throws(StorageError) -> BackupExclusion {
        try mark(url, .noBackup, allowingForeignPaths: allowingForeignPaths)
        return try backupExclusion(of: url)
    }

    /// Includes a file or directory in backups again: removes the exclusions that
    /// `excludeFromBackup(_:allowingForeignPaths:)`, or a mark that makes it purgeable, has set.
    ///
    /// Tags of other programs are kept, and so are the exclusions of directories around it. Blocks; on
    /// disk when it returns.
    ///
    /// - Returns: the exclusion that remains; ``HeadroomCore/BackupExclusion/none`` if it is included.
    /// - Throws: as `excludeFromBackup(_:allowingForeignPaths:)`.
    @discardableResult
    public func includeInBackup(
        _ url: URL, allowingForeignPaths: Bool = false
    ) throws(StorageError) -> BackupExclusion {
        let path = try core.markable(url, allowingForeignPaths)
        do {
            try core.workspace.mark(path) { $0.includeInBackup() }
        } catch {
            throw StorageError(error)
        }
        return try backupExclusion(of: url)
    }

    /// Whether backups leave a file or directory out, and by whose word. Blocks.
    ///
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`.
    /// - Complexity: O(components): every directory around it is read.
    public func backupExclusion(of url: URL) throws(StorageError) -> BackupExclusion {
        do {
            return try core.workspace.backupExclusionReader().exclusion(of: FilePath(url.path))
        } catch {
            throw StorageError(error)
        }
    }

    // MARK: - Without blocking

    /// The same without blocking.
    @discardableResult
    public func excludeFromBackup(
        _ url: URL, allowingForeignPaths: Bool = false
    ) async throws(StorageError) -> BackupExclusion {
        try await BlockingPool.shared.run { () throws(StorageError) -> BackupExclusion in
            try excludeFromBackup(url, allowingForeignPaths: allowingForeignPaths)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func includeInBackup(
        _ url: URL, allowingForeignPaths: Bool = false
    ) async throws(StorageError) -> BackupExclusion {
        try await BlockingPool.shared.run { () throws(StorageError) -> BackupExclusion in
            try includeInBackup(url, allowingForeignPaths: allowingForeignPaths)
        }
    }

    /// The same without blocking.
    public func backupExclusion(of url: URL) async throws(StorageError) -> BackupExclusion {
        try await BlockingPool.shared.run { () throws(StorageError) -> BackupExclusion in
            try backupExclusion(of: url)
        }
    }
}
