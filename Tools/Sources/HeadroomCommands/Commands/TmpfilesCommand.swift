//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// `headroom tmpfiles`
struct TmpfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tmpfiles",
        abstract: "Show the age rules of tmpfiles.d as Headroom takes them over.",
        discussion: """
            system: /etc, /run, /usr/local/lib and /usr/lib/tmpfiles.d; user: user-tmpfiles.d in the \
            user's directories. What would go: headroom plan --tmpfiles system --expired. Changes \
            nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "system, user, or a directory of *.conf files.", valueName: "system|user|directory"),
        transform: Values.tmpfiles)
    var choice = TmpfilesChoice.system

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: false)
        let rules = try choice.rules()
        try output.print(
            TmpfilesReport(
                rules: rules, notes: workspace.scope(rules).notes.map(\.text), choice: choice))
    }
}
