//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection
import SystemPackage

/// `headroom protect`
struct ProtectCommand: ParsableCommand {
    static var configuration: CommandConfiguration { ProtectArguments.configuration }

    @OptionGroup var arguments: ProtectArguments

    func run() throws {
        if arguments.newKeys { return try makeKeys() }
        if arguments.changePassphrase { return try change() }
        let paths = try arguments.paths.map(Paths.existing)
        let job = ProtectJob(passphrase: arguments.passphrase)
        guard let level = arguments.level else {
            return try arguments.output.print(ProtectJob.look(paths))
        }
        if arguments.newFiles {
            return try arguments.output.print(job.setNewFiles(paths, level == .none ? nil : level))
        }
        Interruption.install()
        try arguments.output.print(job.protect(paths, level))
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
        _ = try KeyBag.create(directory: directory, passphrase: try arguments.passphrase.readNew())
        try arguments.output.print(
            KeysReport(
                readable: [],
                summary: "Made keys: \(directory.appending("protection.keys").displayText). Back "
                    + "this file up: without it, or without the passphrase, nothing can be "
                    + "decrypted.", next: ["headroom unlock"]))
    }

    private func change() throws {
        let bag = try ProtectJob.bag()
        // mutation: r37j-1 (3 lines)
        let old = try arguments.passphrase.read("Old passphrase: ")
        let new = try arguments.newPassphraseFile.map(PassphraseOptions.read(file:))
        try bag.changePassphrase(from: old, to: try new ?? PassphraseOptions.askTwice())
        try arguments.output.print(
            KeysReport(
                readable: bag.readableLevels,
                summary: "Changed the passphrase. Copies of the keys that were made before, in "
                    + "backups for one, still open with the old one."))
    }
}
