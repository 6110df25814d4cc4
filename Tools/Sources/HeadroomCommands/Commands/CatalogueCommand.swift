//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// `headroom catalogue`
struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract:
            "Show the well-known caches that are here, and run their tools' own clean commands.",
        usage: """
            headroom catalogue [<id> …] [--all]
            headroom catalogue clean <id> … [--preview | --yes]
            """,
        discussion: """
            Files in /etc/headroom/catalogue.d and ~/.config/headroom/catalogue.d, named \
            NAME.catalogue, add to the catalogue or replace entries of it by their id:

              [tool]
              name   = Tool
              what   = What it keeps there
              path   = ~/.tool/cache            (or $TOOL_CACHE, /srv/*/cache; several lines)
              shape  = index-v* *.blob          (names that only this tool creates; needed for $TOOL_CACHE)
              cost   = What has to be done again when it is gone
              source = https://where.it/is/documented

            Optional keys: class = temporary|cache|lastResort|essential, unit = file|entry|directory, \
            requires = NAME …, lock = FILE …, protect = NAME …, scope = user|system, clean = COMMAND, \
            by = files|either|command, importance = 0…100. The guide describes them.
            """,
        subcommands: [CatalogueShowCommand.self, CatalogueCleanCommand.self],
        defaultSubcommand: CatalogueShowCommand.self)
}

struct CatalogueShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Show the well-known caches that are here: whose they are, how large, what they cost.")

    @Argument(help: "Ids of entries, to see all of them that is known.")
    var ids: [String] = []

    @Flag(help: "Also those that are not here.")
    var all = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all shows a list: leave out the ids.") }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: false)
        try output.print(
            CatalogueJob(workspace: workspace, showsProgress: output.showsProgress).report(
                ids: ids, all: all))
    }
}
