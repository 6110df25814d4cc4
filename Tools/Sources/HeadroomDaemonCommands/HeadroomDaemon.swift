//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser
import HeadroomCommandLine

/// The program `headroomd`.
///
/// `headroom` starts it for its commands, so it calls itself `headroom` in help and messages.
package struct HeadroomDaemon: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "The daemon of Headroom, and the commands about its configuration and history.",
        usage: "headroomd <subcommand>",
        discussion: "headroom starts it: headroom serve runs headroomd serve.",
        version: Program.version,
        subcommands: [
            ConfigCommand.self, ForecastCommand.self, ServeCommand.self, SweepCommand.self,
        ])

    package init() {}

    /// Runs the program and ends the process.
    package static func run(_ arguments: [String]) -> Never { Program.run(Self.self, arguments) }
}
