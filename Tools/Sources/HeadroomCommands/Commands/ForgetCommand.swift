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

/// `headroom forget`
struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Take away all that Headroom has put on files and directories.",
        usage: """
            headroom forget <path> …
            headroom forget --all [--yes]
            """,
        discussion: """
            Takes away marks, with what they told backup programs, CACHEDIR.TAGs of Headroom's own, \
            and registrations, of a path and of all below it; also of files that are gone. The files \
            stay, and so do tags and attributes of other programs. What was pinned may be purged then.
            """)

    @Argument(help: "Files and directories, with all that is in them.")
    var paths: [String] = []

    @Flag(help: "Everything of this user: in the home, and wherever something was marked.")
    var all = false

    @Flag(name: .shortAndLong, help: "With --all: do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all, !paths.isEmpty { throw ValidationError("--all is everything: name no path.") }
        if !all, paths.isEmpty {
            throw ValidationError("Name a file or directory, or say --all.")
        }
        if yes, !all { throw ValidationError("--yes goes with --all: of a path nobody is asked.") }
    }

    func run() throws {
        Interruption.install()
        if all, !yes, try !isWanted() { throw ExitStatus.failed.code }
        let job = ForgetJob(
            workspace: try Session.open(forWriting: true), showsProgress: output.showsProgress)
        // mutation: r37g-1 (2 lines)
        try output.print(
            all ? try job.forgetAll() : try job.forget(try paths.map(Paths.absolute)))
    }

    private func isWanted() throws -> Bool {
        guard Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to forget "
                    + "everything without a question, or name a path.")
        }
        Diagnostics.say(
            "All marks, pins among them, tags of Headroom's own and registrations of this user go.")
        guard case .yes = Confirmation().ask("Forget everything?") else {
            Diagnostics.say("Nothing was forgotten.")
            return false
        }
        return true
    }
}
