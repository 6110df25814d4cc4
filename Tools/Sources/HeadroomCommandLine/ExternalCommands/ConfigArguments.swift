//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The help of `headroom config`, whose subcommands have the arguments.
package enum ConfigArguments {
    package static func configuration(
        _ subcommands: [any ParsableCommand.Type]
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Check and show the configuration of the service.",
            discussion: """
                /etc/headroom for root, else ~/.config/headroom: headroom.yaml, and every *.yaml in conf.d, \
                where programs declare their directories. Changes nothing.
                """,
            subcommands: subcommands)
    }
}
