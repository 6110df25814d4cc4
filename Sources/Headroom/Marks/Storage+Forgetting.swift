//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    // MARK: - Lost marks

    /// Marks that were lost since they were set: another program has replaced a file, or dropped its
    /// attributes. Changes nothing. Blocks; opens each marked file.
    ///
    /// What protects, and all of a mark on the very file it was set on, is put back when the app
    /// starts. Permission to delete is never put back on another file: mark it anew, if it is meant.
    public func lostMarks() -> [LostMark] {
        core.workspace.lostMarks(in: core.markedPlaces)
    }

    /// The same without blocking.
    public func lostMarks() async -> [LostMark] {
        await BlockingPool.shared.run { lostMarks() }
    }

    // MARK: - Forgetting

    /// Removes everything that Headroom has put on a file or directory and its content: marks, exclusions
    /// from backups, its own tags, registrations.
    ///
    /// The files themselves are kept, and so are tags and attributes of other programs. Pins are lifted.
    /// Blocks; on disk when it returns.
    ///
    /// - Parameter allowingForeignPaths: as for ``mark(_:_:allowingForeignPaths:)``.
    /// - Returns: the marks, tags and registrations that were removed, and the failures.
    /// - Throws: ``StorageError`` `refused` if it lies outside of the app's storage.
    /// - Complexity: O(entries): an attribute of every file is read.
    @discardableResult
    public func forget(
        _ url: URL, allowingForeignPaths: Bool = false
    ) throws(StorageError) -> Forgotten {
        do {
            return try core.workspace.forget(try core.ours(url, allowingForeignPaths))
        } catch let error as StorageError {
            throw error
        } catch let error as HeadroomError {
            throw StorageError(error)
        } catch {
            throw StorageError(.io, "\(error)")
        }
    }

    /// The same without blocking.
    @discardableResult
    public func forget(
        _ url: URL, allowingForeignPaths: Bool = false
    ) async throws(StorageError) -> Forgotten {
        try await BlockingPool.shared.run { () throws(StorageError) -> Forgotten in
            try forget(url, allowingForeignPaths: allowingForeignPaths)
        }
    }
}

extension StorageCore {
    /// Where marks are this storage's to look after.
    var markedPlaces: [FilePath] { [places.root, places.temporary] }

    /// To be called at every start, in the background: puts back what marks have lost, as far as that
    /// may be. Blocks.
    @discardableResult
    func restoreMarks() -> [RestoredMark] { workspace.restoreMarks(in: markedPlaces) }
}
