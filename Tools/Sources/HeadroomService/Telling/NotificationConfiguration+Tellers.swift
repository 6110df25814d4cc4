//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomConfiguration
public import HeadroomEngine
import HeadroomPlatform
public import Logging

extension NotificationConfiguration {
    /// The ways that are configured and can be used here; the log always is.
    ///
    /// - Parameters:
    ///   - environment: of the process. A command gets its `PATH`, `HOME`, `USER` and locale.
    ///   - fail: told what is wrong with a way that was asked for; the others are used without it.
    public func tellers(
        logger: Logger, environment: [String: String], fail: (HeadroomError) -> Void
    ) -> [any Teller] {
        var tellers: [any Teller] = [LogTeller(logger: logger)]
        func add(_ make: () throws(HeadroomError) -> any Teller) {
            do throws(HeadroomError) { tellers.append(try make()) } catch { fail(error) }
        }
        if let command {
            let names = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "XDG_RUNTIME_DIR"]
            add { () throws(HeadroomError) in
                try CommandTeller(
                    command: command, owner: commandOwner,
                    environment: environment.filter { names.contains($0.key) },
                    timeLimit: timeLimit)
            }
        }
        // mutation: r24e-2
        if let webhook {
            add { () throws(HeadroomError) in
                try WebhookTeller(address: webhook, timeLimit: timeLimit)
            }
        }
        // Root has no desktop, and the user's own service tells the user.
        if desktop, !User.isRoot,
            let desktop = DesktopTeller(environment: environment, timeLimit: timeLimit)
        {
            tellers.append(desktop)
        }
        return tellers
    }
}
