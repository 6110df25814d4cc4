//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser
package import HeadroomEngine
import HeadroomPlatform

/// The arguments of `headroom protect`.
package struct ProtectArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Encrypt files where they are, or show what is encrypted.",
        usage: """
            headroom protect --new-keys
            headroom protect <file> … --class <level>
            headroom protect <directory> … --new-files --class <level>
            headroom protect <path> …
            headroom protect --change-passphrase
            """,
        discussion: """
            Levels: complete (readable while unlocked), completeUnlessOpen (the same, and can be \
            written while locked), completeWhenUserInactive (until you are away), \
            completeUntilFirstUserAuthentication (from the first unlocking on), none (decrypts).

            A file is replaced by its encrypted form in one step, after that was read back and \
            compared. What stood there in clear may be found on the disk until its blocks are used \
            again. Whoever loses the passphrase, or protection.keys beside the ledger, loses the \
            files: back up that file.
            """)

    @Argument(help: "Files; with --new-files, directories.")
    package var paths: [String] = []

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("The level.", valueName: "level"), transform: Values.protectionLevel)
    package var level: ProtectionLevel?

    @Flag(help: "Say which level apps that protect what they save use in these directories.")
    package var newFiles = false

    @Flag(help: "Make the keys, under a passphrase. Once.")
    package var newKeys = false

    @Flag(help: "Change the passphrase. Files stay as they are.")
    package var changePassphrase = false

    @Option(
        help: ArgumentHelp("The new one, for --change-passphrase.", valueName: "file"))
    package var newPassphraseFile: String?

    @OptionGroup package var passphrase: PassphraseOptions
    @OptionGroup package var output: OutputOptions

    package init() {}

    package func validate() throws {
        guard [newKeys, changePassphrase, !paths.isEmpty].count(where: \.self) == 1 else {
            throw ValidationError("Name files, or say --new-keys or --change-passphrase.")
        }
        if level != nil || newFiles, paths.isEmpty {
            throw ValidationError("--class and --new-files are about paths.")
        }
        if newFiles, level == nil { throw ValidationError("--new-files takes a --class.") }
        if newPassphraseFile != nil, !changePassphrase {
            throw ValidationError("--new-passphrase-file belongs to --change-passphrase.")
        }
    }
}

extension Values {
    @Sendable static func protectionLevel(_ text: String) throws -> ProtectionLevel {
        guard let level = ProtectionLevel(name: text) else {
            let names = ProtectionLevel.allCases.map(\.name).joined(separator: ", ")
            throw InvalidValue("write one of \(names).")
        }
        return level
    }
}
