//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// Where the passphrase comes from: a file, a descriptor, or the terminal without echo; never an
/// argument, which every process of the machine can read, nor a variable, which children inherit.
package struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the passphrase from the first line of a file that only you can read.",
            valueName: "file"))
    package var passphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Take the passphrase from the first line of an open file descriptor.", valueName: "n"))
    package var passphraseFd: Int32?

    package init() {}

    package func validate() throws {
        if passphraseFile != nil, passphraseFd != nil {
            throw ValidationError("--passphrase-file and --passphrase-fd exclude each other.")
        }
        if let passphraseFd, passphraseFd < 0 {
            throw ValidationError("--passphrase-fd takes the number of a descriptor.")
        }
    }
}
