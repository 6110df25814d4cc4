//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlanning
import HeadroomPlatform
package import HeadroomPurging
public import SystemPackage

/// Cleaning by hand: what there is to choose from, what a choice would free, and the cleaning (R31).
///
/// What can be made again goes through planner and purger like everything else; a person's own files
/// are disposed of. All calls block, and may be made from several threads.
public final class Cleaner: Sendable {
    let workspace: Workspace
    let places: Places
    let surveyed = SurveyedCaches()
    /// Moves files to the trash; nil: that of the desktop is used.
    private let systemTrash: (any SystemTrashing)?

    /// Where a person's own files are.
    public struct Places: Hashable, Sendable {
        /// Directories that are looked through for large files; what is hidden in them is left out.
        public var userFiles: [FilePath]
        /// Directories whose entries are shown one by one.
        public var downloads: [FilePath]
        /// Directories among whose essential content what is marked as last resort is a download.
        public var collections: [FilePath]
        /// Only items in one of these may be moved to the trash; nil: any item.
        public var limits: [FilePath]?
        /// False on systems without a trash: files that can be downloaded again are purged there.
        public var hasTrash = true

        public init(
            userFiles: [FilePath], downloads: [FilePath], collections: [FilePath] = [],
            limits: [FilePath]? = nil
        ) {
            self.userFiles = userFiles
            self.downloads = downloads
            self.collections = collections
            self.limits = limits
        }
    }

    public init(_ workspace: Workspace, places: Places) {
        self.workspace = workspace
        self.places = places
        systemTrash = nil
    }

    /// - Parameter systemTrash: a system that moves files to its trash by itself.
    package init(
        _ workspace: Workspace, places: Places, systemTrash: (any SystemTrashing)?
    ) {
        self.workspace = workspace
        self.places = places
        self.systemTrash = systemTrash
    }

    /// For the user's whole home.
    public convenience init(_ workspace: Workspace) {
        let home = workspace.layouts.first { $0.kind == .xdg }
        let downloads = home?.areas.first { $0.origin == "XDG_DOWNLOAD_DIR" }?.root
        self.init(
            workspace,
            places: Places(
                userFiles: home.map { [$0.root] } ?? [], downloads: downloads.map { [$0] } ?? []))
    }

    // MARK: - Preview

    /// What cleaning a selection would really free. Changes nothing.
    ///
    /// Of caches, what the last survey has seen, or the first one that is under way sees until its end;
    /// a person's files are looked at anew. Blocks.
    public func preview(_ selection: CleaningSelection) throws(HeadroomError) -> CleaningPreview {
        let known = surveyed.awaited()
        let (scope, inventory): (Scope, Inventory)
        if let known {
            (scope, inventory) = known
        } else {
            scope = workspace.scope()
            inventory = try scope.scan()
        }
        let plan = try Self.plan(selection, in: scope, inventory)
        let files = workspace.select(userFiles: selection.userFiles, within: places.limits)
        return CleaningPreview(
            freesNow: plan.frees, freesLater: files.freesWhenEmptied,
            purgedItems: plan.summary().items, disposedItems: files.files.count,
            kept: files.refused)
    }

    /// The plan of what a selection purges, of what was seen in a scope. Blocks.
    ///
    /// Nothing is in it that may not go, whatever is chosen; what is disposed of is no part of it.
    ///
    /// - Complexity: O(items in the inventory).
    public static func plan(
        _ selection: CleaningSelection, in scope: Scope, _ inventory: Inventory
    ) throws(HeadroomError) -> Plan {
        var request = try scope.request(targets: [.all], through: .lastResort)
        // mutation: r31b-3
        request.selection = selection.purged(in: scope)
        // Chosen item by item by a person.
        request.includesFreshTrash = selection.emptiesTrash
        return Planner.plan(inventory, request)
    }

    // MARK: - Cleaning

    /// Cleans what was chosen: measuring → cleaning → measuring → done. Modules are not asked here.
    ///
    /// - Throws: `HeadroomError` before anything has gone.
    public func clean(
        _ selection: CleaningSelection, requester: String,
        progress: CleaningProgress = CleaningProgress()
    ) throws(HeadroomError) -> CleaningResult {
        guard selection.purgesAnything else {
            return cleanFiles(selection, requester: requester, progress: progress)
        }
        var result = CleaningResult()
        defer { progress.end() }
        let expected = surveyed.latest?.inventory.itemCount ?? 0
        let scope = workspace.scope()
        let inventory = try scope.scan(progress: progress.begin(.measuring, expecting: expected))
        let plan = try Self.plan(selection, in: scope, inventory)
        let files = workspace.select(userFiles: selection.userFiles, within: places.limits)
        guard !progress.isCancelled else {
            result.isCancelled = true
            return result
        }
        progress.beginCleaning(plan.frees + files.allocated)
        if !plan.isEmpty {
            result.purge = try scope.purge(plan, requester: requester, progress: progress.purge)
        }
        if !selection.userFiles.isEmpty, !progress.isCancelled {
            result.disposal = dispose(of: files, requester, progress)
        }
        result.isCancelled = progress.isCancelled
        if !progress.isCancelled {
            let after = try scope.scan(
                progress: progress.begin(.measuringAfter, expecting: inventory.itemCount))
            if after.isComplete { surveyed.set((scope, after)) }
        }
        return result
    }

    /// Only moves to the trash: no cache has to be looked through for that.
    private func cleanFiles(
        _ selection: CleaningSelection, requester: String, progress: CleaningProgress
    ) -> CleaningResult {
        var result = CleaningResult()
        defer { progress.end() }
        let files = workspace.select(userFiles: selection.userFiles, within: places.limits)
        if !selection.userFiles.isEmpty, !progress.isCancelled {
            progress.beginCleaning(files.allocated)
            result.disposal = dispose(of: files, requester, progress)
        }
        result.isCancelled = progress.isCancelled
        return result
    }

    private func dispose(
        of files: UserFileSelection, _ requester: String, _ progress: CleaningProgress
    ) -> Receipt {
        workspace.dispose(
            of: files, requester: requester, progress: progress.purge, within: places.limits,
            // mutation: r33g-1
            by: systemTrash)
    }

    /// Brings back what cleaning has moved to the trash.
    ///
    /// - Throws: `notFound` if nothing of it is in the trash any more.
    public func undo(_ result: CleaningResult, requester: String) throws(HeadroomError) -> Receipt {
        guard let disposal = result.disposal, disposal.removedCount > 0 else {
            throw HeadroomError(
                .notFound,
                "Nothing was moved to the trash: what could be made again is gone for good.")
        }
        return try workspace.undo(disposal.id, requester: requester)
    }
}
