//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomEngine
import HeadroomProtection

/// `headroom lock`
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make protected files unreadable until the next unlocking.",
        discussion: """
            Takes the keys of complete and completeUnlessOpen out of the kernel's keyring. A \
            process that has taken them before keeps them until it locks itself or ends.
            """)

    @Flag(help: "And those of completeWhenUserInactive: you are away.")
    var away = false

    @Flag(help: "All of them, as if the machine began anew.")
    var all = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let bag = try ProtectJob.bag()
        let reason: KeyBag.LockReason = all ? .end : away ? .userInactive : .locked
        let locked = try bag.lockKeyring(reason)
        try output.print(
            KeysReport(
                readable: bag.readableLevels,
                summary: locked.isEmpty ? "It was locked already." : "Locked.",
                next: ["headroom unlock"]))
    }
}
