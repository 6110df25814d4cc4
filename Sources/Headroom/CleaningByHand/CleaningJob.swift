//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// One cleaning: its parts one after another, and the steps that it is seen by.
struct CleaningJob: Sendable {
    let core: StorageCore
    let selection: CleaningSelection
    let progress: CleaningProgress

    private static let stepInterval = Duration.milliseconds(100)

    func run(_ channel: StepChannel<CleaningStep>) async {
        channel.send(step())
        let reporting = Task {
            // Cancelled below: then the last step is on its way.
            while (try? await Task.sleep(for: Self.stepInterval, clock: .continuous)) != nil {
                let step = step()
                // The files are done before the modules are.
                if step.phase != .done { channel.send(step) }
            }
        }
        do throws(StorageError) {
            var result = try await cleanFiles()
            if !progress.isCancelled { await cleanModules(&result) }
            result.isCancelled = progress.isCancelled
            reporting.cancel()
            await reporting.value
            channel.send(
                CleaningStep(
                    phase: .done, fraction: 1, cleaned: progress.cleaned, result: result))
            channel.finish()
        } catch {
            reporting.cancel()
            channel.finish(.failure(error))
        }
    }

    private func step() -> CleaningStep {
        CleaningStep(
            phase: progress.phase, fraction: min(0.999, progress.fraction),
            cleaned: progress.cleaned)
    }

    private func cleanFiles() async throws(StorageError) -> CleaningResult {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleaningResult in
            do throws(HeadroomError) {
                return try core.cleaner.clean(
                    selection, requester: core.owner.text, progress: progress)
            } catch {
                throw StorageError(error)
            }
        }
    }

    private func cleanModules(_ result: inout CleaningResult) async {
        let ids = selection.isDeep ? nil : selection.moduleIDs
        guard ids?.isEmpty != true, core.modules.work.beginRun() else { return }
        defer { core.modules.work.endRun() }
        let runner = ModuleRunner(
            registry: core.modules, level: .normal, trigger: .byHand, allowedClass: .lastResort,
            timeLimit: .seconds(30), only: ids)
        let cleaning = Task {
            await core.modules.turns.take {
                let usage = await runner.measure()
                    .reduce(ByteCount.zero) { $0 + ($1.1.before ?? .zero) }
                return usage > .zero ? await runner.run(freeing: usage).freed : .zero
            }
        }
        // The task of this job is not the one that is cancelled: the progress is.
        let freed = await cleaning.outcome(cancelledWhen: { [progress] in progress.isCancelled })
        result.freedByModules = freed
        progress.add(freedByModules: freed)
    }
}
