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
    /// What a person can choose to clean in this app, section by section: caches, modules, registered
    /// directories, downloads, their own files by kind, and what they have thrown away.
    ///
    ///     for await update in storage.cleanables() {
    ///         sections[update.section] = update.items
    ///     }
    ///
    /// Each section comes at once, empty, and again whenever more is known; the sequence ends when all
    /// is. Ending the iteration stops the search.
    public func cleanables() -> AsyncStream<CleaningUpdate> { Cleanables.stream(core) }

    /// What cleaning a selection would really free, now and when the trash is emptied. Changes
    /// nothing.
    ///
    /// What modules would free is what they occupy, by their own measure.
    ///
    /// - Throws: ``StorageError`` if a directory cannot be looked through.
    public func preview(
        _ selection: CleaningSelection
    ) async throws(StorageError) -> CleaningPreview {
        let cleaner = core.cleaner
        var preview = try await BlockingPool.shared.run {
            () throws(StorageError) -> CleaningPreview in
            do throws(HeadroomError) {
                return try cleaner.preview(selection)
            } catch {
                throw StorageError(error)
            }
        }
        for module in selection.items where module.action == .module {
            preview.freesNow += module.allocated ?? .zero
            preview.purgedItems += 1
        }
        return preview
    }

    /// Cleans what was chosen, step by step: measuring → cleaning → measuring → done.
    ///
    ///     for try await step in storage.clean(selection) { bar.value = step.fraction }
    ///
    /// Files that can be regenerated are purged, with all checks; downloads and a person's own files are
    /// moved to the trash, and `undo(_:)` restores them. Modules clean after that; those that fail are in
    /// the result (``HeadroomWorkspace/CleaningResult/failures``), and do not stop the others.
    ///
    /// - Returns: the steps, whose progress never decreases; cleaning starts when you request the first.
    ///   The last one has the result, even if the cleaning was stopped.
    public func clean(_ selection: CleaningSelection) -> CleaningRun {
        let progress = CleaningProgress()
        let job = CleaningJob(core: core, selection: selection, progress: progress)
        return CleaningRun(progress: progress) { channel in
            // Ends by itself; `progress` stops it, which the run and its iterator do.
            Task { await job.run(channel) }
        }
    }

    /// Cleans everything that can be made again, last resort included; no file of a person's own, and
    /// not the trash.
    public func cleanDeeply() -> CleaningRun { clean(.deep) }
}

/// How far cleaning has come.
public struct CleaningStep: Sendable {
    public var phase: CleaningProgress.Phase
    /// Between 0 and 1, never less than before; 1 with the last step alone.
    public var fraction: Double
    /// What has been freed or moved so far.
    public var cleaned: ByteCount
    /// With the last step.
    public var result: CleaningResult?
}
