//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `headroom sweep`
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Do once what the service does: for timers.",
        discussion: """
            Looks at each volume, and carries the policy of the configuration out: what has expired or \
            is over its limit, what a level asks for, and modules that are over their quota. In the \
            modes observe and ask nothing is deleted. Refused while the service runs.

            Exit codes: 0 done, 1 failed, 3 a target was not reached.
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        try output.print(try ServeJob(options: options).sweep())
    }
}
