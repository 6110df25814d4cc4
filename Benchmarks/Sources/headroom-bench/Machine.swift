//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the figures were measured on.
enum Machine {
    /// Kernel, processors and load, as a line.
    static var summary: String {
        let kernel = line(of: ["uname", "-sr"])
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let model =
            contents(of: "/proc/cpuinfo").split(separator: "\n")
            .first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "unknown processor"
        return "\(kernel), \(cores) cores (\(model)), load \(load) before"
    }

    /// The load averages of one and of five minutes: walls mean little above the number of cores.
    static var load: String {
        contents(of: "/proc/loadavg").split(separator: " ").prefix(2).joined(separator: " ")
    }

    /// The file system that a directory lies on: type, mount point and options.
    static func fileSystem(of directory: String) -> String {
        let fields = line(of: ["findmnt", "-n", "-o", "FSTYPE,TARGET,OPTIONS", "-T", directory])
            .split(separator: " ").map(String.init)
        guard fields.count >= 3 else { return "unknown file system" }
        return "\(fields[0]) at \(fields[1]) (\(fields[2]))"
    }

    /// Writes everything out and forgets what was read, so that the next scan asks the disk.
    static func emptyCaches() throws {
        sync()
        let result = try ChildProcess.run("sh", ["-c", "echo 3 >/proc/sys/vm/drop_caches"])
        guard result.succeeded else {
            throw RunFailure(text: "emptying the caches needs root: \(result.errors)")
        }
    }

    private static func line(of command: [String]) -> String {
        // A machine without such a command has figures all the same.
        guard let result = try? ChildProcess.run(command[0], Array(command.dropFirst())) else {
            return "unknown"
        }
        return String(result.output.prefix { $0 != "\n" })
    }

    private static func contents(of path: String) -> String {
        // As above.
        (try? ChildProcess.run("cat", [path]))?.output ?? ""
    }
}
