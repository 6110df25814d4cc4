//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom sweep`.
package struct SweepArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Do once what the service does: for timers.",
        discussion: """
            Looks at each volume, and carries the policy of the configuration out: what has expired or \
            is over its limit, what a level asks for, and modules that are over their quota. In the \
            modes observe and ask nothing is deleted. Refused while the service runs.

            Exit codes: 0 done, 1 failed, 3 a target was not reached.
            """)

    @OptionGroup package var options: ConfigurationOptions
    @OptionGroup package var output: OutputOptions

    package init() {}
}
