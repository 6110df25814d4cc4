//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection

/// `headroom lock`
struct LockCommand: ParsableCommand {
    static var configuration: CommandConfiguration { LockArguments.configuration }

    @OptionGroup var arguments: LockArguments

    func run() throws {
        let bag = try ProtectJob.bag()
        let reason: KeyBag.LockReason =
            arguments.all ? .end : arguments.away ? .userInactive : .locked
        let locked = try bag.lockKeyring(reason)
        try arguments.output.print(
            KeysReport(
                readable: bag.readableLevels,
                summary: locked.isEmpty ? "It was locked already." : "Locked.",
                next: ["headroom unlock"]))
    }
}
