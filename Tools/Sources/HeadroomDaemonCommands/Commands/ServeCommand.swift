//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomService

/// `headroom serve`
struct ServeCommand: ParsableCommand {
    static var configuration: CommandConfiguration { ServeArguments.configuration }

    @OptionGroup var arguments: ServeArguments

    func run() throws {
        let places = try arguments.options.places()
        let addresses = try arguments.listen.map { text throws(HeadroomError) in
            try ListenAddress(text, places)
        }
        try ServeJob(
            options: arguments.options, takesDefaults: arguments.defaults, listen: addresses,
            showsToken: arguments.showToken
        ).run()
    }
}
