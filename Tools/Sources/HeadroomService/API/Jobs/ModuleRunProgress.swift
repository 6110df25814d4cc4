//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Synchronization

/// How far a run of modules is, and the way to stop it.
final class ModuleRunProgress: Sendable {
    private struct State {
        var phase: String?
        var ended = 0
        var freed = ByteCount.zero
    }
    private let state = Mutex(State())
    private let task = StoppableTask<ModuleRun?>()
    private let count: Int

    /// - Parameter count: how many modules are asked.
    init(of count: Int) { self.count = count }

    /// Does the work as a task that ``cancel()`` cancels.
    func run(_ work: @escaping @Sendable () async -> ModuleRun?) async -> ModuleRun? {
        await task.run(work)
    }

    func note(_ step: ModuleStep) {
        state.withLock { state in
            switch step {
            case .measuring(let name): state.phase = "Measuring: \(name.apiShort)"
            case .cleaning(let name): state.phase = "Cleaning: \(name.apiShort)"
            case .ended(let report):
                state.phase = nil
                state.ended += 1
                state.freed += report.freed
            }
        }
    }

    func cancel() { task.cancel() }

    var isCancelled: Bool { task.isCancelled }

    var progress: APIJob.Progress {
        let now = state.withLock { $0 }
        var progress = APIJob.Progress()
        progress.items = now.ended
        progress.totalItems = count
        progress.bytes = now.freed.apiSize
        progress.phase = now.phase
        return progress
    }
}
