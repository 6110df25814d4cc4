//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
import HeadroomPurging
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Looks at files that a person has named, and says which of them may be thrown away.
    ///
    /// This is the only way to make what `dispose(of:)` takes: a policy cannot. Refused, with a
    /// reason, is what lies outside of the app's own places, places with a role (Documents itself, a
    /// container, a home), Preferences, the bundle, and what is pinned, leased or mounted. Changes
    /// nothing. Blocks: walks directories.
    ///
    /// - Complexity: O(files in what was named).
    public func select(userFiles urls: [URL]) -> UserFileSelection {
        core.workspace.select(userFiles: urls.map { FilePath($0.path) }, within: core.disposable)
    }

    /// The same without blocking.
    public func select(userFiles urls: [URL]) async -> UserFileSelection {
        await BlockingPool.shared.run { select(userFiles: urls) }
    }

    /// Moves what a person has named to the trash: that of the desktop on Linux, the system's on Apple
    /// platforms that have one.
    ///
    /// This frees nothing; the room is gained when the trash is emptied
    /// (``HeadroomWorkspace/UserFileSelection/freesWhenEmptied``). Each file is looked at once more, and
    /// moved in one step. Blocks.
    ///
    /// - Returns: the receipt, which is in the ledger. What is in the trash now is `removed`; what
    ///   stayed, and why, `skipped`. Its `id` is what `undo(_:)` takes.
    @discardableResult
    public func dispose(of selection: UserFileSelection) -> Receipt {
        core.workspace.dispose(
            of: selection, requester: core.owner.text, progress: PurgeProgress(),
            within: core.disposable, by: StorageCore.systemTrash)
    }

    /// The same without blocking.
    @discardableResult
    public func dispose(of selection: UserFileSelection) async -> Receipt {
        await BlockingPool.shared.run { dispose(of: selection) }
    }

    /// Brings back what a disposal has moved to the trash: content, times, modes and attributes are what
    /// they were. Nothing is replaced. Blocks.
    ///
    /// - Parameter receipt: of the disposal.
    /// - Returns: a receipt of its own: what is back as `removed`, the rest as `skipped`.
    /// - Throws: ``StorageError`` `notFound` if nothing of it is in the trash any more, or if Apple's system
    ///   has not said where it moved anything: then the Finder brings things back.
    @discardableResult
    public func undo(_ receipt: Receipt) throws(StorageError) -> Receipt {
        do {
            return try core.workspace.undo(receipt.id, requester: core.owner.text)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func undo(_ receipt: Receipt) async throws(StorageError) -> Receipt {
        try await BlockingPool.shared.run { () throws(StorageError) -> Receipt in
            try undo(receipt)
        }
    }
}

extension StorageCore {
    /// What a person may throw away in this app: what is in its own places.
    var disposable: [FilePath] { places.own + [places.documents] }
}
