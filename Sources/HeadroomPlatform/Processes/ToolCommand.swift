//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Another program, run without a shell and not for longer than a time.
package struct ToolCommand: Sendable {
    /// How it ended.
    package struct Outcome: Hashable, Sendable {
        /// Nil: a signal ended it.
        package var exitCode: Int32?
        package var isTimedOut = false
        /// Somebody wanted it to end.
        package var isCancelled = false
        /// What it wrote last, to standard output and error alike.
        package var output: [UInt8] = []
    }

    package var program: FilePath
    package var arguments: [String]
    /// Nothing else is handed on.
    package var environment: [String: String]
    package var limit: Duration

    /// More than that nobody reads.
    private static let outputLimit = 64 << 10
    /// How long a command may take to end when it is told to.
    private static let grace = Duration.seconds(5)

    package init(
        _ program: FilePath, _ arguments: [String], environment: [String: String], limit: Duration
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.limit = limit
    }

    /// Runs it to its end, or until its time is over; then it is ended with all that it has started in its
    /// process group. Blocks.
    ///
    /// It reads nothing, has `/` as its directory and no other open files.
    ///
    /// - Parameter isCancelled: asked several times a second; true ends it as the end of its time does.
    /// - Throws: what posix_spawn(3) says; `ENOTSUP` where there is none.
    package func run(
        isCancelled: () -> Bool = { false }
    ) throws(Errno) -> Outcome {
        #if os(Linux) || os(macOS)
        var ends: [Int32] = [0, 0]
        _ = try retrying { unsafe pipe(&ends) }
        let reading = Descriptor(owning: ends[0])
        let child = try spawn(reading: reading.rawValue, writing: Descriptor(owning: ends[1]))
        return wait(for: child, reading: reading.rawValue, isCancelled)
        #else
        throw .notSupported
        #endif
    }

    #if os(Linux) || os(macOS)
    /// The writing end is closed when it returns: the child alone has it then.
    private func spawn(reading: Int32, writing: consuming Descriptor) throws(Errno) -> pid_t {
        _ = hr_fcntl(reading, F_SETFD, Int(FD_CLOEXEC))
        _ = hr_fcntl(reading, F_SETFL, Int(O_NONBLOCK))
        _ = hr_fcntl(writing.rawValue, F_SETFD, Int(FD_CLOEXEC))
        return try spawn(output: writing.rawValue)
    }

    private func spawn(output: Int32) throws(Errno) -> pid_t {
        var settings = SpawnSettings()
        settings.output(1, to: output)
        settings.output(2, to: output)
        settings.directory("/")
        // A group of its own: it is ended with what it has started.
        settings.leadsGroup()
        return try settings.start(
            program.string, arguments, environment: environment.map { "\($0)=\($1)" }.sorted())
    }

    private func wait(
        for child: pid_t, reading: Int32, _ isCancelled: () -> Bool
    ) -> Outcome {
        var outcome = Outcome()
        let clock = ContinuousClock()
        var deadline = clock.now.advanced(by: limit)
        var signals = [SIGTERM, SIGKILL][...]
        while true {
            outcome.output = Self.read(reading, behind: outcome.output)
            var status: Int32 = 0
            let result = unsafe waitpid(child, &status, WNOHANG)
            if result == child || result < 0 && errno != EINTR {
                // WIFEXITED and WEXITSTATUS are macros that Swift does not import.
                if result == child, status & 0x7F == 0 { outcome.exitCode = (status >> 8) & 0xFF }
                outcome.output = Self.read(reading, behind: outcome.output)
                return outcome
            }
            if !outcome.isTimedOut, !outcome.isCancelled, isCancelled() {
                outcome.isCancelled = true
                deadline = clock.now
            }
            if clock.now >= deadline, let signal = signals.popFirst() {
                outcome.isTimedOut = !outcome.isCancelled
                _ = kill(-child, signal)
                deadline = clock.now.advanced(by: Self.grace)
            }
            // Wakes up when it writes; what ends without a word is noticed soon after.
            var waiting = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            _ = unsafe poll(&waiting, 1, 50)
            // At its end a pipe is always ready.
            if waiting[0].revents & Int16(POLLIN) == 0, waiting[0].revents != 0 { usleep(10_000) }
        }
    }

    /// What is there to be read now, of which the last is kept.
    private static func read(_ descriptor: Int32, behind output: [UInt8]) -> [UInt8] {
        var output = output
        while true {
            var chunk = [UInt8](repeating: 0, count: 16384)
            #if canImport(Darwin)
            let count = unsafe Darwin.read(descriptor, &chunk, chunk.count)
            #else
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            #endif
            guard count > 0 else { return output }
            output += chunk.prefix(count)
            if output.count > outputLimit { output.removeFirst(output.count - outputLimit) }
        }
    }
    #endif
}
