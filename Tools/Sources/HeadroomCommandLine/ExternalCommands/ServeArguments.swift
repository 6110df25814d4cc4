//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom serve`.
package struct ServeArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run as a service: watch the volumes, and keep them within budget.",
        discussion: """
            What is done by itself is for the configuration to say (headroom config show): mode \
            observe, the default, plans, logs what would go, and deletes nothing; ask waits for a \
            person's word; act purges. What a person has seen and confirmed in the dashboard or by \
            the API goes in every mode. One service runs for each user; that of root is the \
            machine's. Stays in the foreground; logs to standard error.

            SIGHUP reads the configuration again; one with an error changes nothing. SIGTERM and \
            SIGINT end a purge between two items, and then the service.
            """)

    @OptionGroup package var options: ConfigurationOptions

    @Flag(help: "Take the built-in configuration, whatever files there are.")
    package var defaults = false

    @Option(
        help: ArgumentHelp(
            "Serve the dashboard, its API and metrics there too: 127.0.0.1:9105, or unix:PATH.",
            valueName: "address"))
    package var listen: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Print the dashboard's address with its token, also where no terminal is.",
            discussion: "Who reads it may purge what has been planned and shown."))
    package var showToken = false

    package init() {}

    package func validate() throws {
        guard !defaults || options.directory == nil else {
            throw ValidationError("Give --defaults or --directory, not both.")
        }
    }
}
