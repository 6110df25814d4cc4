//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomDashboard
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import Logging
import SystemPackage

/// The pages and the API of one run of the service, and how a person gets to them.
struct ServedDashboard {
    let api: ServiceAPI
    let pages: ServedPages

    /// Makes the token of this run, and its file.
    ///
    /// - Parameter showsToken: prints it though no terminal may be there.
    init(
        _ workspace: Workspace, version: String, showsToken: Bool, logger: Logger
    ) throws(HeadroomError) {
        let token = APIToken()
        try token.write(in: workspace.ledger.directory)
        let api = ServiceAPI(token: token, version: version, logger: logger)
        let resources = DashboardResources.load()
        let site = DashboardSite(resources)
        let missing = resources.files.isEmpty ? resources.adviceWhereMissing : nil
        let file = workspace.ledger.directory.appending(APIToken.fileName).displayText
        self.api = api
        pages = ServedPages(
            addRoutes: { router in
                api.addRoutes(to: router)
                site.addRoutes(to: router)
            },
            onListening: { address, port in
                if let missing { Diagnostics.say(missing) }
                Self.announce(
                    address, port, token,
                    shows: showsToken || Terminal(.standardOutput).isTerminal, file: file)
            })
    }

    /// Tells a person at the terminal where the dashboard is. Where nobody sits, standard output may be kept
    /// by somebody, and the token is in its file.
    private static func announce(
        _ address: ListenAddress, _ port: Int?, _ token: APIToken, shows: Bool, file: String
    ) {
        switch address {
        case .loopback(let host, let configured):
            let host = host.contains(":") ? "[\(host)]" : host
            let place = "http://\(host):\(port ?? configured)/"
            if shows {
                // At once, for who waits for it at a pipe; nobody there is no fault.
                let line = "Dashboard: \(place)#token=\(token.text)\n"
                _ = try? FileDescriptor.standardOutput.writeAll(line.utf8)
            } else {
                Diagnostics.say("The dashboard is at \(place), with the token in \(file).")
            }
        case .socket(let path):
            Diagnostics.say("The API is at \(path.displayText), with the token in \(file).")
        case .systemd:
            let place = port.map { "port \($0)" } ?? "its path"
            Diagnostics.say(
                "The API is at the socket of systemd (\(place)), with the token in \(file).")
        }
    }
}
