//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
package import Logging
import Synchronization
package import SystemPackage

/// The log of a service, on standard error: whoever reads it and stops holds up nothing.
///
/// Lines wait in memory, and those for which there is no room are counted and left out: a volume that fills
/// up is kept from it though the pipe of the log is full.
package final class ServiceLog: Sendable {
    private struct State {
        var waiting = 0
        var lost = 0
        var leftOut = 0
        var budget: LogBudget
    }

    private let descriptor: FileDescriptor
    private let limit: Int
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>
    /// Its thread waits for the reader.
    private let queue = DispatchQueue(label: "headroom.log")

    /// - Parameters:
    ///   - limit: how many bytes may wait.
    ///   - clock: of the bytes that the log may get in a day: see ``LogBudget``.
    package init(
        _ descriptor: FileDescriptor = .standardError, limit: Int = 1 << 20,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.descriptor = descriptor
        self.limit = limit
        uptime = Self.stopwatch(clock)
        state = Mutex(State(budget: LogBudget(at: .zero)))
    }

    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    package func makeLogger(label: String) -> Logger {
        Logger(label: label) {
            QuotingLogHandler(StreamLogHandler(label: $0, stream: Stream(log: self)))
        }
    }

    /// Says a line, with its end. Does not wait for a reader.
    package func write(_ line: String) {
        let count = line.utf8.count
        let now = uptime()
        let missing = state.withLock { state -> (lost: Int, leftOut: Int)? in
            guard state.waiting + count <= limit else {
                state.lost += 1
                return nil
            }
            guard state.budget.take(count, at: now) else {
                state.leftOut += 1
                return nil
            }
            state.waiting += count
            defer { (state.lost, state.leftOut) = (0, 0) }
            return (state.lost, state.leftOut)
        }
        guard let missing else { return }
        let text =
            (missing.lost > 0 ? Self.note(missing.lost) : "")
            + (missing.leftOut > 0 ? Self.note(leftOut: missing.leftOut) : "") + line
        queue.async { [self] in
            // Nobody is there any more: then nobody misses it.
            _ = try? descriptor.writeAll(text.utf8)
            state.withLock { $0.waiting -= count }
        }
    }

    /// Waits until all that waits is written, but not for a reader that has stopped.
    package func finish(within time: Duration = .seconds(2)) {
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + time / .seconds(1))
    }

    private static func note(_ lost: Int) -> String {
        "headroom: \(lost) \(lost == 1 ? "line" : "lines") of the log went missing here, since nobody read it\n"
    }

    private static func note(leftOut: Int) -> String {
        "headroom: \(leftOut) \(leftOut == 1 ? "line" : "lines") of the log left out here: it would be longer than "
            + "\(LogBudget.perDay / 1_000_000) MB a day\n"
    }

    private struct Stream: TextOutputStream, Sendable {
        let log: ServiceLog

        func write(_ string: String) { log.write(string) }
    }
}
