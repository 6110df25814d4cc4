//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom config check`.
package struct ConfigCheckArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong, with file, line and key, and what to do.",
        discussion: """
            One error anywhere, and the service takes nothing of it: what it ran with before holds on. \
            But an area that may not be one is only left out, and all else holds. \
            Notes, such as of two declarations of one directory, of which the more protective holds, \
            hinder nothing. Exit code 1: there are errors.
            """)

    @Argument(help: "Files to check by themselves: the first as headroom.yaml, others as drop-ins.")
    package var files: [String] = []

    @OptionGroup package var options: ConfigurationOptions
    @OptionGroup package var output: OutputOptions

    package init() {}

    package func validate() throws {
        guard files.isEmpty || options.directory == nil else {
            throw ValidationError("Name files or --directory, not both.")
        }
    }
}
