//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom lock`.
package struct LockArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make protected files unreadable until the next unlocking.",
        discussion: """
            Takes the keys of complete and completeUnlessOpen out of the kernel's keyring. A \
            process that has taken them before keeps them until it locks itself or ends.
            """)

    @Flag(help: "And those of completeWhenUserInactive: you are away.")
    package var away = false

    @Flag(help: "All of them, as if the machine began anew.")
    package var all = false

    @OptionGroup package var output: OutputOptions

    package init() {}
}
