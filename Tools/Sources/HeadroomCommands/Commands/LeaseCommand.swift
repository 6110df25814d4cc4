//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// `headroom lease`
struct LeaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lease",
        abstract: "Run a command while a file or directory is protected from every purge.",
        usage: "headroom lease [--wait <age>] <path> -- <command> …",
        discussion: """
            The lease ends with the command, however that ends. No area needs to be declared. The \
            exit code is the command's.
            """)

    @Argument(help: "The file or directory; a directory with all below it.")
    var path: String

    @Option(
        help: ArgumentHelp(
            "How long to wait while a purge is at work there.", valueName: "age"),
        transform: Values.age)
    var wait = Lease.defaultPatience

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after “--”.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError(
                "Name the command: headroom lease \(ShellWord(path)) -- COMMAND …")
        }
    }

    func run() throws {
        let lease = try Lease.acquire(Paths.absolute(path), patience: wait)
        Interruption.handBack()
        try lease.execute(command)
    }
}
