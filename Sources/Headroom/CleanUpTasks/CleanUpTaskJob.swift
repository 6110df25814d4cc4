//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

/// One clean-up: its steps one after another, and their progress.
struct CleanUpTaskJob: Sendable {
    let core: StorageCore
    let list: CleanUpTaskList
    let options: CleanUpTaskOptions
    let progress: CleanUpTaskProgress

    private static let stepInterval = Duration.milliseconds(50)

    /// What moves from thread to thread, and is used by one at a time.
    private final class Box: @unchecked Sendable {  // Each step is awaited before the next begins.
        let runner: CleanUpTaskRunner
        init(_ runner: CleanUpTaskRunner) { self.runner = runner }
    }

    func run(_ channel: StepChannel<CleanUpTaskStep>) async {
        guard core.cleanUpActions.work.beginRun() else {
            return channel.finish(
                .failure(
                    StorageError(
                        .busy,
                        "\(core.owner.text) is being cleaned up already. Wait for that to end.")))
        }
        channel.send(step())
        let reporting = Task {
            // Cancelled below: then the last step is on its way.
            while (try? await Task.sleep(for: Self.stepInterval, clock: .continuous)) != nil {
                channel.send(step())
            }
        }
        let summary = await clean(channel)
        reporting.cancel()
        await reporting.value
        core.cleanUpActions.work.endRun()
        progress.finish()
        var last = step()
        last.summary = summary
        channel.send(last)
        channel.finish()
    }

    private func step() -> CleanUpTaskStep {
        // The phase first: the fraction is of at least that phase then.
        CleanUpTaskStep(
            phase: progress.phase, fraction: progress.fraction, freed: progress.freed,
            removed: progress.removed)
    }

    private func clean(_ channel: StepChannel<CleanUpTaskStep>) async -> CleanUpTaskSummary {
        let box = await blocking { Box(core.runner(list, options, progress)) }
        let actions = actions(box.runner)
        let expected = actions.map { core.cleanUpActions.expected($0.1) }
        await blocking { box.runner.measureBefore(actions: expected) }
        progress.enter(.cleaning)
        channel.send(step())
        await blocking { box.runner.clean() }
        if !actions.isEmpty { progress.begin(.acting) }
        // mutation: r30b-1
        for (index, (task, name)) in actions.enumerated() {
            let start = ContinuousClock.now
            await call(name, task, box.runner, index)
            if !progress.isCancelled {
                core.cleanUpActions.note(name, took: start.duration(to: .now))
            }
            progress.addAction()
        }
        if !progress.isCancelled {
            progress.enter(.measuringAfter)
            channel.send(step())
        }
        await blocking { box.runner.measureAfter() }
        return box.runner.summary
    }

    private func blocking<Success: Sendable>(
        _ body: @escaping @Sendable () -> Success
    ) async -> Success {
        await BlockingPool.shared.run { () throws(Never) -> Success in body() }
    }

    // MARK: - Actions

    /// What is to be called, in order; of a task that names one that is not registered, nothing.
    private func actions(
        _ runner: CleanUpTaskRunner
    ) -> [(CleanUpTask, CleanUpTaskRegistry.Name)] {
        var actions: [(CleanUpTask, CleanUpTaskRegistry.Name)] = []
        for task in list.tasks {
            // mutation: r30c-1 (3 lines)
            guard case .call(let className, let selectors) = task.work,
                core.unknownActions(of: task).isEmpty
            else { continue }
            actions += selectors.map { selector in
                (task, CleanUpTaskRegistry.Name(className: className, selector: selector))
            }
        }
        return actions
    }

    private func call(
        _ name: CleanUpTaskRegistry.Name, _ task: CleanUpTask, _ runner: CleanUpTaskRunner,
        _ index: Int
    ) async {
        guard !progress.isCancelled else {
            runner.noteStopped(task)
            return
        }
        let registry = core.cleanUpActions
        guard let action = registry.action(name) else { return }
        guard registry.work.begin(name) else {
            return runner.noteAction(
                task, name.selector, .busy, "It has not yet returned from an earlier call.")
        }
        let call = ModuleCall<Void>(timeLimit: options.actionTimeLimit, lowersPriority: false) {
            registry.work.end(name)
        }
        let own = CleanUpActionProgress { [progress] in progress.noteAction(index, fraction: $0) }
        let calling = Task { await call.run { try await action.body(own) } }
        // The task of this run is not the one that is cancelled: the progress is.
        let outcome = await calling.outcome(cancelledWhen: { [progress] in progress.isCancelled })
        switch outcome {
        case .returned: runner.noteAction(task)
        case .threw(let error):
            runner.noteAction(task, name.selector, .failed, "It failed: \(error)")
        case .timedOut:
            runner.noteAction(
                task, name.selector, .failed,
                "It has not returned within \(options.actionTimeLimit.inWords), and was left behind."
            )
        case .cancelled:
            runner.noteAction(
                task, name.selector, .interrupted, "It was stopped before it had returned.")
        }
    }
}

extension StorageCore {
    /// Selectors that nothing is registered for.
    func unknownActions(of task: CleanUpTask) -> [String] {
        guard case .call(let className, let selectors) = task.work else { return [] }
        return selectors.filter {
            cleanUpActions.action(
                CleanUpTaskRegistry.Name(className: className, selector: $0)) == nil
        }
    }

    /// Looks up what a list names. Blocks.
    func runner(
        _ list: CleanUpTaskList, _ options: CleanUpTaskOptions, _ progress: CleanUpTaskProgress
    ) -> CleanUpTaskRunner {
        let runner = CleanUpTaskRunner(
            list, in: workspace, container: places.root, measured: places.measured,
            // mutation: r30d-1
            registered: options.emptiesPurgeableDirectories ? ownRegistrations : [],
            through: options.through, requester: "\(owner.text): clean-up tasks",
            progress: progress)
        for task in list.tasks {
            guard case .call(let className, _) = task.work else { continue }
            let unknown = unknownActions(of: task)
            guard !unknown.isEmpty else { continue }
            let isClassKnown = cleanUpActions.hasClass(className)
            runner.noteUnknown(task, isClassKnown ? unknown : [])
        }
        return runner
    }
}

extension StoragePlaces {
    /// What tells how much a clean-up has freed: the container, or in a home what is the owner's own.
    fileprivate var measured: [FilePath] {
        guard layout.kind == .xdg else { return [root] }
        return own.filter { path in !own.contains { $0 != path && path.lies(in: $0) } }
    }
}
