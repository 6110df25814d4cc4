//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `headroom serve`
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run as a service: watch the volumes, and keep them within budget.",
        discussion: """
            What is done by itself is for the configuration to say (headroom config show): mode \
            observe, the default, plans, logs what would go, and deletes nothing; ask waits for a \
            person's word; act purges. One service runs for each user; that of root is the \
            machine's. Stays in the foreground; logs to standard error.

            SIGHUP reads the configuration again; one with an error changes nothing. SIGTERM and \
            SIGINT end a purge between two items, and then the service.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try ServeJob(options: options).run()
    }
}
