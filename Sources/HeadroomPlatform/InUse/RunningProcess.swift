//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is known of a process by its number.
package enum RunningProcess {
    /// The number of this process.
    package static var own: Int32 { getpid() }

    /// The name of a process's program (`/proc/PID/comm`, at most 15 bytes); nil if it is gone.
    package static func command(of process: Int32) -> String? {
        // A process that is gone, or a system without /proc: there is no name to tell.
        guard let line = try? PseudoFile.lines(of: "/proc/\(process)/comm").first else {
            return nil
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// When a process was started, in the system's clock ticks since boot (on Darwin in microseconds since
    /// 1970); nil if it is gone.
    ///
    /// Together with the number it names one process: numbers are used again.
    package static func startTime(of process: Int32) -> UInt64? {
        #if canImport(Darwin)
        var microseconds: UInt64 = 0
        guard unsafe hr_process_start(process, &microseconds) == 0 else { return nil }
        return microseconds
        #else
        return field(22, of: process)
        #endif
    }

    /// The user that a program runs as, and when it was started; nil if it has ended, for a thread of the kernel, and
    /// on Darwin.
    package static func ownerAndStart(of process: Int32) -> (owner: UInt32, start: Timestamp)? {
        #if canImport(Darwin)
        return nil
        #else
        guard let status = try? PathCalls.status(FilePath("/proc/\(process)")),
            let ticks: Int64 = field(22, of: process), parent(of: process) != kernelThreads
        else { return nil }
        // proc_pid_stat(5): clock ticks, of which Linux has 100 a second for programs.
        let start = Duration.milliseconds(10) * ticks
        return (status.owner, Timestamp.now().advanced(by: start - SystemBoot.elapsed))
        #endif
    }

    #if !canImport(Darwin)
    /// kthreadd, which starts all threads of the kernel.
    private static let kernelThreads: Int32 = 2

    /// The ID of the process that started or adopted a process; nil if the process has ended.
    static func parent(of process: Int32) -> Int32? { field(4, of: process) }

    /// A number of proc_pid_stat(5), from field 4 on.
    private static func field<Number: FixedWidthInteger>(
        _ number: Int, of process: Int32
    ) -> Number? {
        // The process has ended, or the system has no /proc.
        guard let line = try? PseudoFile.lines(of: "/proc/\(process)/stat").first,
            // The name stands in parentheses and may contain any byte; the fields follow it.
            let close = line.lastIndex(of: 0x29)
        else { return nil }
        let fields = line[(close + 1)...].split(separator: 0x20)
        // The first after the name is number 3.
        guard fields.count > number - 3 else { return nil }
        return Number(String(decoding: fields[number - 3], as: UTF8.self))
    }
    #endif

    /// A process for people: `clangd (4711)`.
    package static func description(of process: Int32) -> String {
        guard process > 0 else { return "a process that cannot be seen from here" }
        return command(of: process).map { "\($0) (\(process))" } ?? "process \(process)"
    }
}
