//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Registers what a clean-up task calls by `Class` and `Selectors`. One of the same names is replaced.
    ///
    ///     storage.registerCleanUpAction("Thumbnails", "clear") { try await thumbnails.clear() }
    ///
    /// For this process only: register at every launch. All copies of this storage share their actions. The
    /// names are what is in the file, and need be no names of types.
    public func registerCleanUpAction(
        _ className: String, _ selector: String,
        _ action: @escaping @Sendable () async throws -> Void
    ) {
        registerCleanUpAction(className, selector) { _ in try await action() }
    }

    /// Registers an action that says how far it has come.
    ///
    /// - Parameter usually: how long it takes on the whole, for the progress of what comes before it. Nil: as
    ///   long as when it was called last; if it was not, a tenth of a second.
    public func registerCleanUpAction(
        _ className: String, _ selector: String, usually: Duration? = nil,
        _ action: @escaping @Sendable (CleanUpActionProgress) async throws -> Void
    ) {
        core.cleanUpActions.register(
            CleanUpTaskRegistry.Name(className: className, selector: selector),
            CleanUpTaskRegistry.Action(usually: usually, body: action))
    }

    /// Takes an action out again. A call that is under way goes on.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unregisterCleanUpAction(_ className: String, _ selector: String) -> Bool {
        core.cleanUpActions.unregister(
            CleanUpTaskRegistry.Name(className: className, selector: selector))
    }

    // MARK: - Tasks

    /// Reads the clean-up tasks of the program, or of a file. Blocks; removes nothing.
    ///
    /// - Parameter url: the file; nil: `PurgeableCache.plist` in the main bundle (elsewhere than on Apple
    ///   platforms, in `NAME.resources` beside the program `NAME`, or beside it).
    /// - Throws: ``StorageError`` `notFound`; `corrupt` if it is no list of tasks. What is wrong with single
    ///   tasks is in the list.
    public static func cleanUpTasks(at url: URL? = nil) throws(StorageError) -> CleanUpTaskList {
        do {
            return try CleanUpTaskList(
                contentsOf: url.map { FilePath($0.path) }
                    ?? MainBundle.path(of: "PurgeableCache.plist"))
        } catch {
            var translated = StorageError(error)
            if error.code == .invalid { translated.code = .corrupt }
            throw translated
        }
    }

    /// What is wrong with tasks, as the storage is now: how they are written, where they lead, and what is
    /// not registered. Removes nothing; blocks.
    public func check(_ tasks: CleanUpTaskList) -> [CleanUpTaskProblem] {
        core.runner(tasks, CleanUpTaskOptions(), CleanUpTaskProgress()).problems
    }

    /// The same without blocking.
    public func check(_ tasks: CleanUpTaskList) async -> [CleanUpTaskProblem] {
        await BlockingPool.shared.run { () throws(Never) -> [CleanUpTaskProblem] in check(tasks) }
    }

    // MARK: - Clean-up

    /// Carries out clean-up tasks: first what is named by path, then the app's purgeable directories are
    /// emptied, then actions are called, in their order and one after another.
    ///
    ///     for try await step in storage.cleanUp(try Storage.cleanUpTasks()) {
    ///         bar.value = step.fraction
    ///     }
    ///
    /// A task that is wrong is not run, and reported; the others are. What is pinned, leased or open stays,
    /// and what is last resort unless the options say otherwise. Everything goes by a plan, with a receipt.
    ///
    /// - Returns: the steps; it starts when the first is asked for, and throws ``StorageError`` `busy` if
    ///   another clean-up is under way.
    public func cleanUp(
        _ tasks: CleanUpTaskList, options: CleanUpTaskOptions = CleanUpTaskOptions()
    ) -> CleanUpTaskRun {
        let progress = CleanUpTaskProgress()
        let job = CleanUpTaskJob(core: core, list: tasks, options: options, progress: progress)
        return CleanUpTaskRun(progress: progress) { channel in
            // Ends by itself; `progress` stops it, which the run and its iterator do.
            Task { await job.run(channel) }
        }
    }

    /// The same with a function that is called on the main actor, for those who show it.
    ///
    /// Cancelling the task stops the clean-up, and returns what was done.
    ///
    /// - Throws: ``StorageError`` `busy` if another clean-up is under way.
    @discardableResult
    public func cleanUp(
        _ tasks: CleanUpTaskList, options: CleanUpTaskOptions = CleanUpTaskOptions(),
        onStep: @escaping @MainActor @Sendable (CleanUpTaskStep) -> Void
    ) async throws(StorageError) -> CleanUpTaskSummary {
        var steps = cleanUp(tasks, options: options).makeAsyncIterator()
        var summary: CleanUpTaskSummary?
        while let step = try await steps.next(isolation: #isolation) {
            await onStep(step)
            summary = step.summary ?? summary
        }
        guard let summary else {
            throw StorageError(.io, "The clean-up ended without a last step.")
        }
        return summary
    }
}
