//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser
import HeadroomCommandLine
import HeadroomProtection

/// The program `headroom-protect`.
///
/// `headroom` starts it for its commands, so it calls itself `headroom` in help and messages.
package struct HeadroomProtect: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Encryption of files at rest.",
        usage: "headroom-protect <subcommand>",
        discussion: "headroom starts it: headroom protect runs headroom-protect protect.",
        version: Program.version,
        subcommands: [ProtectCommand.self, UnlockCommand.self, LockCommand.self])

    package init() {}

    /// Runs the program and ends the process.
    package static func run(_ arguments: [String]) -> Never { Program.run(Self.self, arguments) }
}

extension ProtectionError: CommandError {
    package var codeName: String { code.description }
}
