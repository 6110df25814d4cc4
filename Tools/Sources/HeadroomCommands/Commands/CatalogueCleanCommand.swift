//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// `headroom catalogue clean`
struct CatalogueCleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Run the tools' own clean commands, one after the other.",
        discussion: """
            Shows what would be run, and asks. There is no shell: the words of a command are handed on \
            as they are. What it removes is up to the tool: marks and pins of Headroom do not hold \
            there, and nothing brings it back. What it has freed is measured before and after. As root, \
            only programs of the system are run, in a home that is root's alone. Exit codes: 0 done, \
            1 nothing was run, 4 one of them failed, 130 interrupted.
            """)

    @Argument(help: "Ids of entries, as headroom catalogue shows them.")
    var ids: [String]

    @Flag(help: "Show what would be run, and run nothing.")
    var preview = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "How long each may take before it is ended: 90s, 5min, 1h.", valueName: "time"),
        transform: Values.age)
    var timeLimit = CleanCommandLimit.standard

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if yes, preview { throw ValidationError("--preview runs nothing: leave out --yes.") }
        if timeLimit < .seconds(1) { throw ValidationError("--time-limit: a second at least.") }
    }

    func run() throws {
        Interruption.install()
        let job = CatalogueCleanJob(
            workspace: try Session.open(forWriting: false), limit: timeLimit, output: output)
        let commands = try job.commands(for: ids)
        if preview { return try output.print(CatalogueCommandsReport(commands: commands)) }
        // mutation: r32e-2
        if !yes {
            output.say(CatalogueCommandsReport(commands: commands).document)
            switch Confirmation().ask(commands.count == 1 ? "Run it?" : "Run them?") {
            case .yes: break
            case .no:
                Diagnostics.say("Nothing was run.")
                throw ExitStatus.failed.code
            case .nobody:
                throw HeadroomError(
                    .refused,
                    "Nobody can be asked: standard input or error is no terminal. Add --yes to run it "
                        + "without a question, or --preview to look.")
            }
        }
        try output.print(try job.run(commands))
    }
}
