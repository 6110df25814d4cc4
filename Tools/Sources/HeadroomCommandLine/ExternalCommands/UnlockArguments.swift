//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom unlock`.
package struct UnlockArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Make protected files readable for a while, or copy one in clear.",
        usage: """
            headroom unlock [--for <age>] [--away <age>]
            headroom unlock <file> --to <file>|-
            """,
        discussion: """
            Without a file, the keys go into the kernel's keyring of this user, where commands find \
            them until headroom lock, until their time is over, or until the machine starts anew. \
            Whatever runs as this user can use them meanwhile.
            """)

    @Argument(help: "A protected file.")
    package var file: String?

    @Option(help: ArgumentHelp("Where to; - is standard output.", valueName: "file"))
    package var to: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long for complete and completeUnlessOpen.", valueName: "age"),
        transform: Values.age)
    package var lifetime: Duration?

    @Option(
        help: ArgumentHelp(
            "How long for completeWhenUserInactive, from each use.", valueName: "age"),
        transform: Values.age)
    package var away: Duration = .seconds(15 * 60)

    @OptionGroup package var passphrase: PassphraseOptions
    @OptionGroup package var output: OutputOptions

    package init() {}

    package func validate() throws {
        guard (file == nil) == (to == nil) else {
            throw ValidationError("A file is copied in clear with --to.")
        }
        if file != nil, lifetime != nil {
            throw ValidationError("--for is for unlocking, not for a copy.")
        }
        guard away >= .seconds(1), lifetime.map({ $0 >= .seconds(1) }) != false else {
            throw ValidationError("--for and --away take at least a second.")
        }
    }
}
