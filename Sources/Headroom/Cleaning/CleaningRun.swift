//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// One run of cleaning, and the steps that it is seen by.
struct CleaningRun: Sendable {
    let core: StorageCore
    let selection: CleaningSelection
    let progress = CleaningProgress()

    typealias Steps = AsyncThrowingStream<CleaningStep, any Error>.Continuation

    func perform(_ steps: Steps) async {
        let watch = Task { await report(to: steps) }
        do {
            var result = try await cleanFiles()
            if !progress.isCancelled { await cleanModules(&result) }
            watch.cancel()
            await watch.value
            steps.yield(
                CleaningStep(
                    phase: .done, fraction: 1, cleaned: progress.cleaned, result: result))
            steps.finish()
        } catch {
            watch.cancel()
            steps.finish(throwing: error)
        }
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
        let usage = await runner.measure().reduce(ByteCount.zero) { $0 + ($1.1.before ?? .zero) }
        guard usage > .zero else { return }
        let run = await runner.run(freeing: usage)
        result.freedByModules = run.freed
        progress.add(freedByModules: run.freed)
    }

    private func report(to steps: Steps) async {
        while !Task.isCancelled {
            let step = CleaningStep(
                phase: progress.phase, fraction: min(0.999, progress.fraction),
                cleaned: progress.cleaned)
            // The files are done before the modules are.
            if step.phase != .done { steps.yield(step) }
            // Cancelled when the work is over.
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
