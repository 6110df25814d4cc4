//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// A thread that looks through a store's files in the background.
final class Sweeper: Sendable {
    // Ends by itself.
    deinit { state.withLock { $0.thread }?.detach() }

    private struct State {
        /// The last one, until somebody waits for it.
        var thread: WorkerThread?
        var isRunning = false
        var isStopped = false
        /// There was something new while it ran.
        var isWantedAgain = false
        /// How many wait for it to come to its end.
        var pauses = 0
    }
    private let state = Mutex(State())

    /// Starts it, if it does not run.
    ///
    /// - Parameter body: returns whether it has done all that it could: else it is called again a second later at
    ///   the earliest, since what is in its way (a full volume) mostly stays for longer.
    func start(_ body: @escaping @Sendable (_ isStopped: () -> Bool) -> Bool) {
        let ended = state.withLock { state -> WorkerThread? in
            state.isWantedAgain = state.isRunning
            guard !state.isRunning, !state.isStopped else { return nil }
            let ended = state.thread
            // Where there are no more threads, who needs room looks into the files.
            state.thread = try? WorkerThread { [self] in
                WorkerThread.lowerPriority()
                while true {
                    let isDone = body { isStopped }
                    guard goesOn() else { break }
                    if !isDone { rest() }
                }
            }
            state.isRunning = state.thread != nil
            return ended
        }
        // It needs no lock any more.
        ended?.join()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func rest() {
        for _ in 0..<100 where !isStopped { Pause.milliseconds(10) }
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            defer { state.isWantedAgain = false }
            state.isRunning = state.isWantedAgain && !state.isStopped
            return state.isRunning
        }
    }

    /// Whether it is to leave what somebody else can do later.
    var isToHurry: Bool { state.withLock { $0.isStopped || $0.pauses > 0 } }

    /// Has it leave what can be done later, and returns when it has come to its end; it may be started again.
    ///
    /// - Parameter isLong: whether it has something to do that is not waited for.
    func pause(unless isLong: () -> Bool) {
        state.withLock { $0.pauses += 1 }
        defer { state.withLock { $0.pauses -= 1 } }
        while state.withLock({ $0.isRunning }), !isLong() { Pause.milliseconds(1) }
    }

    /// Returns when it has come to its end.
    func wait() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
        // Somebody else has begun to wait before.
        while state.withLock({ $0.isRunning }) { Pause.milliseconds(1) }
    }

    /// Ends it after the file that it looks into, and waits for that.
    func stop() {
        state.withLock { $0.isStopped = true }
        wait()
    }
}
