//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom config show`.
package struct ConfigShowArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each value that holds, and the file and line that it is from.",
        discussion: """
            Values that no file sets are shown as well, as defaults. Exit code 1: the configuration has \
            errors, which are named; then nothing of it holds.
            """)

    @Flag(help: "Leave out what no file sets.")
    package var changed = false

    @OptionGroup package var options: ConfigurationOptions
    @OptionGroup package var output: OutputOptions

    package init() {}
}
