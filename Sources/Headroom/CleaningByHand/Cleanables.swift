//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import HeadroomWorkspace

/// Looks for what a person can clean, and tells a stream.
enum Cleanables {
    static func stream(_ core: StorageCore) -> AsyncStream<CleaningUpdate> {
        // A section is reported a few times at most for each directory of a person's.
        AsyncStream { continuation in
            let progress = ScanProgress()
            // Ended by the stream: cancelled when nobody iterates any more.
            let task = Task {
                await survey(core, progress, continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in
                progress.cancel()
                task.cancel()
            }
        }
    }

    private static func survey(
        _ core: StorageCore, _ progress: ScanProgress,
        _ continuation: AsyncStream<CleaningUpdate>.Continuation
    ) async {
        continuation.yield(
            CleaningUpdate(section: .moduleCaches, items: [], isComplete: false))
        // One after the other: modules may take their time.
        await BlockingPool.shared.run {
            do throws(HeadroomError) {
                try core.cleaner.survey(progress: progress) { continuation.yield($0) }
            } catch {
                continuation.yield(
                    CleaningUpdate(
                        section: .systemCaches, items: [], isComplete: true,
                        problem: error.message))
            }
        }
        continuation.yield(
            CleaningUpdate(
                section: .moduleCaches, items: await modules(of: core), isComplete: true))
    }

    private static func modules(of core: StorageCore) async -> [Cleanable] {
        let runner = ModuleRunner(
            registry: core.modules, level: .normal, trigger: .byHand, allowedClass: .lastResort,
            timeLimit: .seconds(30))
        let measured = await core.modules.turns.take { await runner.measure() }
        return measured.map { _, report in
            Cleanable(
                id: report.id, section: .moduleCaches, name: report.displayName, path: nil,
                note: report.problem ?? report.quota.map { "quota \($0)" } ?? "",
                allocated: report.before, fileCount: 0, action: .module)
        }
    }
}
