//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// A tool's own clean command, as it would be run.
public struct CleaningCommand: Hashable, Sendable {
    /// Where the program was found.
    public var program: FilePath
    /// Handed on as they are: there is no shell.
    public var arguments: [String]

    public init(program: FilePath, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}

extension Workspace {
    /// The command that empties a well-known cache, if it can be run. Runs nothing; blocks.
    ///
    /// The program is looked up in `PATH`. What runs as root is looked up in the system's directories
    /// only; program and directories have to belong to root and be writable by nobody else, and so has
    /// the home: tools run what is written there.
    ///
    /// - Throws: `HeadroomError` `invalid` if the entry has no command, `notFound` if its program
    ///   is not installed, `refused` if root may not trust it.
    public func cleaningCommand(
        of entry: CatalogueEntry, environment: [String: String]
    ) throws(HeadroomError) -> CleaningCommand {
        guard let name = entry.command.first else {
            throw HeadroomError(
                .invalid, "\(entry.name) has no command of its own. headroom purge empties it.")
        }
        if User.isRoot { try Self.checkHome(environment["HOME"], of: entry) }
        return CleaningCommand(
            program: try Self.program(name, of: entry, path: environment["PATH"] ?? ""),
            arguments: Array(entry.command.dropFirst()))
    }

    private static func program(
        _ name: String, of entry: CatalogueEntry, path: String
    ) throws(HeadroomError) -> FilePath {
        let isRoot = User.isRoot
        let system = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        for directory in (isRoot ? system : path).split(separator: ":") where directory.first == "/"
        {
            let file = FilePath(String(directory)).appending(name)
            guard ProgramFile.isRunnable(file) else { continue }
            guard !isRoot || RootsAlone.isEnd(of: file) else {
                throw HeadroomError(
                    .refused,
                    "\(file.displayText) is not run for root: it, or a directory it lies in, belongs to "
                        + "somebody else, or somebody else can write it.")
            }
            return file
        }
        throw HeadroomError(
            .notFound,
            "\(name), which empties \(entry.name), is not installed, or not in PATH. Install it, or "
                + "leave \(entry.name) as it is.")
    }

    /// What lies in a home decides what a tool does there: hooks, wrappers, settings.
    private static func checkHome(
        _ home: String?, of entry: CatalogueEntry
    ) throws(HeadroomError) {
        guard let home, RootsAlone.isEnd(of: FilePath(home)) else {
            throw HeadroomError(
                .refused,
                "The command of \(entry.name) is not run for root in \(home ?? "no home"): that is not "
                    + "root's alone. Run it as the user whose home it is.")
        }
    }
}
