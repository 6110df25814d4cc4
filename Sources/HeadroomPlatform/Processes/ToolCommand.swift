//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Another program, run without a shell and not for longer than a time.
public struct ToolCommand: Sendable {
    /// How it ended.
    public struct Outcome: Hashable, Sendable {
        /// Nil: a signal ended it.
        public var exitCode: Int32?
        public var isTimedOut = false
        /// Somebody wanted it to end.
        public var isCancelled = false
        /// The end of what it wrote to standard output and standard error, at most ``ToolCommand/outputLimit`` bytes.
        public var output: [UInt8] = []
    }

    public var program: FilePath
    public var arguments: [String]
    /// Nothing else is handed on.
    public var environment: [String: String]
    public var limit: Duration
    /// What it can read on standard input; no more than a pipe holds, 64 KiB.
    public var input: [UInt8] = []
    /// Whether what it writes to standard error is part of the output.
    public var keepsErrors = true
    /// Whether it is killed when it does not end although it was told to. Else it is waited for until it
    /// does.
    public var isKilled = true

    /// The number of bytes of the output to keep, counted from its end.
    public var outputLimit = 64 << 10

    private static let inputLimit = 64 << 10
    /// How long a command may take to end when it is told to.
    private static let grace = Duration.seconds(5)

    public init(
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
    /// It reads ``input``, has `/` as its directory and no other open files.
    ///
    /// - Parameter isCancelled: asked several times a second; true ends it as the end of its time does.
    /// - Throws: what posix_spawn(3) says; `ENOTSUP` where there is none; `EFBIG` for too much input.
    public func run(
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
        let source = try input.isEmpty ? nil : makeInput()
        if let source { settings.output(0, to: source) }
        defer { if let source { _ = close(source) } }
        settings.output(1, to: output)
        if keepsErrors { settings.output(2, to: output) } else { settings.discardOutput(2) }
        settings.directory("/")
        // A group of its own: it is ended with what it has started.
        settings.leadsGroup()
        return try settings.start(
            program.string, arguments, environment: environment.map { "\($0)=\($1)" }.sorted())
    }

    /// The reading end of a pipe in which the input stands, with nobody at the other end any more.
    private func makeInput() throws(Errno) -> Int32 {
        guard input.count <= Self.inputLimit else { throw .fileTooLarge }
        var ends: [Int32] = [0, 0]
        _ = try retrying { unsafe pipe(&ends) }
        let reading = Descriptor(owning: ends[0])
        let writing = Descriptor(owning: ends[1])
        _ = hr_fcntl(reading.rawValue, F_SETFD, Int(FD_CLOEXEC))
        _ = hr_fcntl(writing.rawValue, F_SETFD, Int(FD_CLOEXEC))
        // It fits: nobody has to read for it to be written, and the reading end is ours: no SIGPIPE.
        _ = hr_fcntl(writing.rawValue, F_SETFL, Int(O_NONBLOCK))
        let written = try retrying {
            unsafe Int32(clamping: write(writing.rawValue, input, input.count))
        }
        guard written == input.count else { throw .ioError }
        return reading.release()
    }

    private func wait(
        for child: pid_t, reading: Int32, _ isCancelled: () -> Bool
    ) -> Outcome {
        var outcome = Outcome()
        let clock = ContinuousClock()
        var deadline = clock.now.advanced(by: limit)
        var signals = (isKilled ? [SIGTERM, SIGKILL] : [SIGTERM])[...]
        while true {
            outcome.output = read(reading, behind: outcome.output)
            var status: Int32 = 0
            let result = unsafe waitpid(child, &status, WNOHANG)
            if result == child || result < 0 && errno != EINTR {
                // WIFEXITED and WEXITSTATUS are macros that Swift does not import.
                if result == child, status & 0x7F == 0 { outcome.exitCode = (status >> 8) & 0xFF }
                outcome.output = read(reading, behind: outcome.output)
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
    private func read(_ descriptor: Int32, behind output: [UInt8]) -> [UInt8] {
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
