//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import SystemPackage

/// This process, and those that started it or only pass its command line on.
///
/// A path on this process's own command line is the path that the user asked it to work on:
/// `sh -c 'headroom purge ~/.cache/x'`, `sudo headroom purge /tmp/x`, `systemd-run headroom purge /tmp/x`. Everything
/// else that these processes name is in use, such as the directory of the script that calls this process.
struct LaunchingProcesses {
    /// The processes that started this one.
    private let numbers: Set<Int32>
    /// The arguments on this process's command line, without its own name; empty if they are too few to
    /// recognize.
    private let arguments: [UInt8]
    /// All arguments on this process's command line.
    let commandLine: [UInt8]

    init() {
        var numbers: Set<Int32> = []
        var process = getpid()
        // Up to the first process of the namespace, whose parent is 0.
        while process > 0, numbers.insert(process).inserted {
            process = RunningProcess.parent(of: process) ?? 0
        }
        numbers.remove(getpid())
        self.numbers = numbers
        commandLine =
            (try? ProcessDirectory.content(of: "/proc/self/cmdline", at: AT_FDCWD)) ?? []
        let own = commandLine.drop { $0 != 0 }
        // Two arguments at least: one alone could be any program's.
        arguments = own.count { $0 == 0 } > 2 ? Array(own) : []
    }

    /// Whether a process started this one, directly or not.
    func contains(_ process: Int32) -> Bool { numbers.contains(process) }

    /// The command line of a process without this process's own at its end, which it starts or has started.
    func withoutLaunch(_ commandLine: [UInt8]) -> [UInt8] {
        guard !arguments.isEmpty, commandLine.count > arguments.count,
            commandLine.suffix(arguments.count).elementsEqual(arguments)
        else { return commandLine }
        return Array(commandLine.dropLast(arguments.count))
    }
}
#endif
