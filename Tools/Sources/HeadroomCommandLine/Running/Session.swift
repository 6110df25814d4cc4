//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
package import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

/// What every command about a user's storage starts with.
package enum Session {
    /// The variables that say where a user's things are.
    private static let variables = [
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR", "TMPDIR", "HEADROOM_TRASH_VOLUMES",
    ]

    /// Opens the user's workspace, and says on standard error what is wrong with it.
    ///
    /// - Parameters:
    ///   - forWriting: false leaves the disk as it is.
    ///   - heedsConfiguration: the areas of the daemon's configuration are areas, as they are for the daemon.
    ///   - minIdle: how long items have to be unused before plans take them.
    /// - Throws: ``HeadroomError`` if nobody knows where the home directory is, or what to heed.
    package static func open(
        forWriting: Bool, heedsConfiguration: Bool = false, minIdle: MinIdle = .standard
    ) throws(HeadroomError) -> Workspace {
        var environment = environment
        let home = try home()
        let catalogue = Catalogue.load(
            environment: CatalogueEnvironment(variables: environment, home: home))
        // Those that files have added to the catalogue are known only now.
        // mutation: s2d-2
        if let problem = GivenText.problem(ofVariables: catalogue.variables) {
            throw HeadroomError(.invalid, problem)
        }
        for name in catalogue.variables { environment[name] = Terminal.variable(name) }
        let workspace = Workspace.open(
            forWriting: forWriting, environment: environment, home: home, catalogue: catalogue,
            minIdle: minIdle, clock: { Timestamp.now() })
        let declared = heedsConfiguration ? try declared(home, forWriting: forWriting) : []
        for notice in workspace.notices { Diagnostics.say(notice) }
        for receipt in workspace.interrupted { Diagnostics.say(Self.report(of: receipt)) }
        // mutation: s11i-1
        return declared.isEmpty ? workspace : workspace.declaring(declared)
    }

    private static func declared(
        _ home: FilePath, forWriting: Bool
    ) throws(HeadroomError) -> [Area] {
        let places = ConfigurationPlaces(home: home, environment: environment)
        do throws(ConfigurationErrors) {
            // The workspace checks areas each time it uses them.
            return try ConfigurationLoader(places: places, workspace: nil).load()
                // mutation: s11i-6
                .configuration.areas
        } catch {
            let problem = error.problems.first { $0.severity == .error }?.description ?? ""
            let unknown =
                "The areas of the configuration are not known, because it has errors: \(problem)"
            // mutation: s11i-2
            guard forWriting else {
                Diagnostics.say(unknown)
                return []
            }
            throw HeadroomError(
                .invalid,
                "\(unknown) Nothing is purged until they are fixed: headroom config check, or move it away."
            )
        }
    }

    /// The variables that say where a user's things are, as far as they are set.
    package static var environment: [String: String] {
        var environment: [String: String] = [:]
        for name in variables { environment[name] = Terminal.variable(name) }
        return environment
    }

    /// All variables that are text, for other programs: any other, made text, would tell them something else.
    package static var wholeEnvironment: [String: String] { GivenText.environment }

    package static func home() throws(HeadroomError) -> FilePath {
        if let text = Terminal.variable("HOME"), text.hasPrefix("/") { return FilePath(text) }
        guard let account = UserAccount.current(), account.home.isAbsolute else {
            throw HeadroomError(
                .notFound, "There is no home directory. Set HOME to the path of one.")
        }
        return account.home
    }

    /// Who asks for a purge, for its receipt.
    package static var requester: String {
        let words = ["headroom"] + CommandLine.arguments.dropFirst()
        return "\(words.joined(separator: " ")), user \(User.effective), process \(processNumber)"
    }

    private static func report(of receipt: Receipt) -> String {
        // The journal is told in batches: what went in the last one is not known to it.
        let moment =
            receipt.removedCount == 0
            ? "before it had told what went"
            : "after at least \(receipt.removedCount.counted("item"))"
        return "An earlier purge was cut off \(moment) (\(receipt.target)). The next purge "
            + "finishes or restores what it had begun: headroom log --receipt \(receipt.shortID)"
    }
}

extension Receipt {
    /// The id without the day: what `--receipt` takes.
    package var shortID: String {
        id.split(separator: "-").last.map { String($0.prefix(8)) } ?? id
    }
}
