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
    /// - Parameter environment: of the process. A command gets its `PATH`, `HOME`, `USER` and locale.
    /// - Throws: what is wrong with a way that was asked for.
    public func tellers(
        logger: Logger, environment: [String: String]
    ) throws(HeadroomError) -> [any Teller] {
        var tellers: [any Teller] = [LogTeller(logger: logger)]
        if let command {
            let names = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "XDG_RUNTIME_DIR"]
            tellers.append(
                try CommandTeller(
                    command: command, owner: commandOwner,
                    environment: environment.filter { names.contains($0.key) },
                    timeLimit: timeLimit))
        }
        if let webhook {
            tellers.append(try WebhookTeller(address: webhook, timeLimit: timeLimit))
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
