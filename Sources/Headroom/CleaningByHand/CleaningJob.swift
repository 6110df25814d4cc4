//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomWorkspace

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
        guard ids?.isEmpty != true else { return }
        let modules = core.modules.modules
        // mutation: r26b-2 (6 lines)
        for item in selection.items where item.action == .module {
            guard !modules.contains(where: { $0.id == item.id }) else { continue }
            result.failures.append(
                CleaningFailure(
                    id: item.id, name: item.name, message: "It is no longer registered."))
        }
        guard core.modules.work.beginRun() else {
            for module in modules where ids?.contains(module.id) ?? true {
                result.failures.append(
                    CleaningFailure(
                        id: module.id, name: module.displayName,
                        message: "The modules are being cleaned already. Wait for that to end."))
            }
            return
        }
        defer { core.modules.work.endRun() }
        let runner = ModuleRunner(
            registry: core.modules, level: .normal, trigger: .byHand, allowedClass: .lastResort,
            timeLimit: .seconds(30), only: ids)
        let cleaning = Task {
            await core.modules.turns.take {
                let measured = await runner.measure().map(\.1)
                let usage = measured.reduce(ByteCount.zero) { $0 + ($1.before ?? .zero) }
                if usage > .zero { return await runner.run(freeing: usage) }
                return ModuleRun(trigger: .byHand, bytesWanted: .zero, modules: measured)
            }
        }
        // The task of this job is not the one that is cancelled: the progress is.
        let run = await cleaning.outcome(cancelledWhen: { [progress] in progress.isCancelled })
        result.freedByModules = run.freed
        // mutation: r26b-1 (5 lines)
        for report in run.modules {
            guard let problem = report.problem else { continue }
            result.failures.append(
                CleaningFailure(id: report.id, name: report.displayName, message: problem))
        }
        progress.add(freedByModules: run.freed)
    }
}
