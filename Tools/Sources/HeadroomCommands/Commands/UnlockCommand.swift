//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import HeadroomProtection
import SystemPackage

/// `headroom unlock`
struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
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
    var file: String?

    @Option(help: ArgumentHelp("Where to; - is standard output.", valueName: "file"))
    var to: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long for complete and completeUnlessOpen.", valueName: "age"),
        transform: Values.age)
    var lifetime: Duration?

    @Option(
        help: ArgumentHelp(
            "How long for completeWhenUserInactive, from each use.", valueName: "age"),
        transform: Values.age)
    var away: Duration = .seconds(15 * 60)

    @OptionGroup var passphrase: PassphraseInput
    @OptionGroup var output: OutputOptions

    func validate() throws {
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

    func run() throws {
        if let file, let to { return try copy(file, to) }
        let bag = try ProtectJob.bag()
        try bag.unlock(try passphrase.read())
        try bag.leaveInKeyring(for: lifetime, inactivity: away)
        let time = lifetime.map { "for \($0.inWords)" } ?? "until headroom lock"
        try output.print(
            KeysReport(
                readable: bag.readableLevels, summary: "Unlocked \(time).",
                next: ["headroom lock"]))
    }

    private func copy(_ file: String, _ target: String) throws {
        let path = try Paths.existing(file)
        guard case .level(let level) = Protection.byHeadroom(path) else {
            throw ProtectionError(
                .damaged,
                "\(path.displayText) cannot be read, or its header is damaged. Restore it from a "
                    + "backup.")
        }
        let bag = try ProtectJob(passphrase: passphrase).bag(reading: [level])
        try ClearCopy(file: try ProtectedFile(path: path, keys: bag)).write(to: target)
    }
}
