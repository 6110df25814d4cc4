//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How a child process ended, what it wrote and what it used.
public struct ChildResult: Sendable {
    /// The exit code; nil if a signal ended it.
    public let exitCode: Int32?
    /// The signal that ended it, if one did.
    public let signal: Int32?
    /// What it wrote to standard output, if that was captured.
    public let standardOutput: [UInt8]
    /// What it wrote to standard error, if that was captured.
    public let standardError: [UInt8]
    /// Processor time spent in the program itself.
    public let userTime: Duration
    /// Processor time the kernel spent for it.
    public let systemTime: Duration
    /// From before its start until its end was noticed.
    public let wallTime: Duration
    /// The most memory it had resident, in bytes.
    public let peakMemory: Int64

    init(
        status: Int32, standardOutput: [UInt8], standardError: [UInt8], usage: rusage,
        wallTime: Duration
    ) {
        // WIFEXITED and its like are macros that Swift does not import.
        let caught = status & 0x7F
        exitCode = caught == 0 ? (status >> 8) & 0xFF : nil
        signal = caught == 0 ? nil : caught
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.wallTime = wallTime
        userTime =
            .seconds(usage.ru_utime.tv_sec) + .microseconds(Int64(usage.ru_utime.tv_usec))
        systemTime =
            .seconds(usage.ru_stime.tv_sec) + .microseconds(Int64(usage.ru_stime.tv_usec))
        #if os(Linux)
        peakMemory = Int64(usage.ru_maxrss) * 1024
        #else
        peakMemory = Int64(usage.ru_maxrss)
        #endif
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    public var errors: String { String(decoding: standardError, as: UTF8.self) }
    /// Whether it exited with 0.
    public var succeeded: Bool { exitCode == 0 }
    /// User and system time together.
    public var processorTime: Duration { userTime + systemTime }
}

extension ChildResult: CustomStringConvertible {
    public var description: String {
        let end = signal.map { "signal \($0)" } ?? "exit code \(exitCode ?? -1)"
        return "\(end); output: \(output.prefix(2_000)); errors: \(errors.prefix(2_000))"
    }
}
