//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomInventory
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// What a file, or a directory with all below it, occupies on its volume, and how long it is.
    ///
    /// Allocated size is counted in the blocks that the file system says are taken, so that sparse
    /// files are right; a file with several names counts once; links are not followed, and other
    /// volumes not entered. What cannot be read is counted as an error in the result. Blocks.
    ///
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`, `io`.
    /// - Complexity: O(entries).
    public func size(of url: URL) throws(StorageError) -> ScanTotals {
        do {
            let (path, status) = try core.located(FilePath(url.path).settled)
            guard status.type != .directory else {
                return try Scanner.totals(of: path, options: ScanOptions(now: core.clock()))
            }
            return ScanTotals(
                allocated: status.allocatedSize, logical: status.logicalSize, files: 1,
                directories: 0)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func size(of url: URL) async throws(StorageError) -> ScanTotals {
        try await BlockingPool.shared.run { () throws(StorageError) -> ScanTotals in
            try size(of: url)
        }
    }

    /// What a file, or a directory with all below it, occupies, and how much of it nothing else shares.
    ///
    /// Copies on btrfs, XFS and APFS share their content until one is written to (reflinks, clones): removing
    /// one frees what is `ExclusiveTotals.exclusive`. `size(of:)` counts such content in each of them.
    /// Opens each file below and asks the file system where it lies, which takes many times what a size
    /// does: ask for what a person looks at. Blocks.
    ///
    /// Snapshots of btrfs count as sharing; those of APFS, LVM and ZFS can hold content all the same.
    ///
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`, `io`; what cannot be read or asked below is
    ///   `ExclusiveTotals.unknown`.
    /// - Complexity: O(entries + extents).
    public func exclusiveSize(of url: URL) throws(StorageError) -> ExclusiveTotals {
        do {
            let (path, _) = try core.located(FilePath(url.path).settled)
            return try Scanner.exclusiveTotals(of: path, options: ScanOptions(now: core.clock()))
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func exclusiveSize(of url: URL) async throws(StorageError) -> ExclusiveTotals {
        try await BlockingPool.shared.run { () throws(StorageError) -> ExclusiveTotals in
            try exclusiveSize(of: url)
        }
    }
}

extension StorageCore {
    /// Where something is, without links on the way, and what; a link itself is not followed.
    func located(_ path: FilePath) throws(HeadroomError) -> (FilePath, FileStatus) {
        guard let last = path.names.last else {
            throw HeadroomError(.invalid, "The path names nothing. Name a file or directory.")
        }
        do throws(Errno) {
            let parent = try ResolvedDirectory(path.removingLastComponent())
            let number = parent.descriptor.rawValue
            let status = try last.withEntryName { (name) throws(Errno) in
                try calls.status(of: name, at: number)
            }
            var resolved = parent.path
            if let component = path.lastComponent { resolved.append(component) }
            return (resolved, status)
        } catch {
            throw HeadroomError("look at", path, error)
        }
    }
}
