//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import HeadroomProtection
import SystemPackage

/// `headroom protect`
struct ProtectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
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
    var paths: [String] = []

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("The level.", valueName: "level"), transform: Values.protectionLevel)
    var level: ProtectionLevel?

    @Flag(help: "Say which level apps that protect what they save use in these directories.")
    var newFiles = false

    @Flag(help: "Make the keys, under a passphrase. Once.")
    var newKeys = false

    @Flag(help: "Change the passphrase. Files stay as they are.")
    var changePassphrase = false

    @Option(
        help: ArgumentHelp("The new one, for --change-passphrase.", valueName: "file"))
    var newPassphraseFile: String?

    @OptionGroup var passphrase: PassphraseInput
    @OptionGroup var output: OutputOptions

    func validate() throws {
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

    func run() throws {
        if newKeys { return try makeKeys() }
        if changePassphrase { return try change() }
        let paths = try paths.map(Paths.existing)
        let job = ProtectJob(passphrase: passphrase)
        guard let level else { return try output.print(ProtectJob.look(paths)) }
        if newFiles {
            return try output.print(job.setNewFiles(paths, level == .none ? nil : level))
        }
        Interruption.install()
        try output.print(job.protect(paths, level))
    }

    private func makeKeys() throws {
        let directory = try ProtectJob.directory()
        // Asked before a passphrase is: nobody thinks of one in vain.
        guard (try? KeyBag(directory: directory)) == nil else {
            throw ProtectionError(
                .keyBagExists,
                "There are keys already, in \(directory.displayText). Others in their place would "
                    + "lose what was protected with them.")
        }
        _ = try KeyBag.create(directory: directory, passphrase: try passphrase.readNew())
        try output.print(
            KeysReport(
                readable: [],
                summary: "Made keys: \(directory.appending("protection.keys").displayText). Back "
                    + "this file up: without it, or without the passphrase, nothing can be "
                    + "decrypted.", next: ["headroom unlock"]))
    }

    private func change() throws {
        let bag = try ProtectJob.bag()
        // mutation: r37j-1 (3 lines)
        let old = try passphrase.read("Old passphrase: ")
        let new = try newPassphraseFile.map(PassphraseInput.read(file:))
        try bag.changePassphrase(from: old, to: try new ?? PassphraseInput.askTwice())
        try output.print(
            KeysReport(
                readable: bag.readableLevels,
                summary: "Changed the passphrase. Copies of the keys that were made before, in "
                    + "backups for one, still open with the old one."))
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
