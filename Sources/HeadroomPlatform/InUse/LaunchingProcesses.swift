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
/// A path on their command lines is the path that the user asked this process to work on:
/// `sh -c 'headroom purge ~/.cache/x'`, `sudo headroom purge /tmp/x`, `systemd-run headroom purge /tmp/x`.
struct LaunchingProcesses {
    private let numbers: Set<Int32>
    /// The arguments on this process's command line, without its own name; empty if they are too few to
    /// recognize.
    private let arguments: [UInt8]

    init() {
        var numbers: Set<Int32> = []
        var process = getpid()
        // Up to the first process of the namespace, whose parent is 0.
        while process > 0, numbers.insert(process).inserted {
            process = RunningProcess.parent(of: process) ?? 0
        }
        self.numbers = numbers
        let line =
            (try? ProcessDirectory.content(of: "/proc/self/cmdline", at: AT_FDCWD)) ?? []
        let own = line.drop { $0 != 0 }
        // Two arguments at least: one alone could be any program's.
        arguments = own.count { $0 == 0 } > 2 ? Array(own) : []
    }

    func contains(_ process: Int32) -> Bool { numbers.contains(process) }

    /// Whether a command line ends with this process's own, and so starts it or a program like it.
    func isLaunch(_ commandLine: [UInt8]) -> Bool {
        !arguments.isEmpty && commandLine.count > arguments.count
            && commandLine.suffix(arguments.count).elementsEqual(arguments)
    }
}
#endif
