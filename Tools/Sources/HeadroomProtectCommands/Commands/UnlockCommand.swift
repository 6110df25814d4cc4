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

/// `headroom unlock`
struct UnlockCommand: ParsableCommand {
    static var configuration: CommandConfiguration { UnlockArguments.configuration }

    @OptionGroup var arguments: UnlockArguments

    func run() throws {
        if let file = arguments.file, let to = arguments.to { return try copy(file, to) }
        let bag = try ProtectJob.bag()
        try bag.unlock(try arguments.passphrase.read())
        try bag.leaveInKeyring(for: arguments.lifetime, inactivity: arguments.away)
        let time = arguments.lifetime.map { "for \($0.inWords)" } ?? "until headroom lock"
        try arguments.output.print(
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
        let bag = try ProtectJob(passphrase: arguments.passphrase).bag(reading: [level])
        try ClearCopy(file: try ProtectedFile(path: path, keys: bag)).write(to: target)
    }
}
