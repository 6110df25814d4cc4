//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine

/// `headroom sweep`
struct SweepCommand: ParsableCommand {
    static var configuration: CommandConfiguration { SweepArguments.configuration }

    @OptionGroup var arguments: SweepArguments

    func run() throws {
        Interruption.install()
        try arguments.output.print(try ServeJob(options: arguments.options).sweep())
    }
}
