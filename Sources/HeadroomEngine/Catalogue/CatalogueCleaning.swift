//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What a tool's own clean command did.
public struct CatalogueCleaning: Hashable, Sendable {
    public var entry: CatalogueEntry
    /// The program that was run.
    public var program: FilePath
    /// 0: it says that it has succeeded; nil: it was ended.
    public var exitCode: Int32?
    /// It took longer than it was given, and was ended.
    public var isTimedOut: Bool
    /// What it wrote last, for people.
    public var output: String
    /// What its places occupy less than before; nil: they could not be measured.
    public var freed: ByteCount?

    public var succeeded: Bool { exitCode == 0 }
}

extension Workspace {
    /// Runs a well-known cache's own clean command, without a shell. Blocks.
    ///
    ///     let done = try workspace.clean(entry, environment: environment)
    ///     print(done.succeeded, done.freed ?? .zero)
    ///
    /// The program is looked up in `PATH`; for root only in the system's directories, and it has to
    /// belong to root and be writable by nobody else. It sees the environment that is handed over, nothing
    /// to read, and `/` as its directory.
    ///
    /// - Parameters:
    ///   - environment: the user's: tools find their caches by it.
    ///   - limit: after that time it is ended, with what it has started.
    /// - Throws: ``HeadroomError`` `invalid` if the entry has no command, `notFound` if its program
    ///   is not installed, `refused` if root may not trust it.
    public func clean(
        _ entry: CatalogueEntry, environment: [String: String], limit: Duration = .seconds(300)
    ) throws(HeadroomError) -> CatalogueCleaning {
        guard let name = entry.command.first else {
            throw HeadroomError(
                .invalid, "\(entry.name) has no command of its own. headroom purge empties it.")
        }
        let program = try Self.program(name, of: entry, path: environment["PATH"] ?? "")
        let roots = caches.filter { $0.entry.id == entry.id }.map(\.root)
        let before = size(of: roots)
        let outcome: ToolCommand.Outcome
        do {
            outcome = try ToolCommand(
                program, Array(entry.command.dropFirst()), environment: environment, limit: limit
            ).run()
        } catch {
            throw HeadroomError("run", program, error)
        }
        let after = size(of: roots)
        return CatalogueCleaning(
            entry: entry, program: program, exitCode: outcome.exitCode,
            isTimedOut: outcome.isTimedOut, output: String(decoding: outcome.output, as: UTF8.self),
            freed: before.flatMap { before in after.map { max(.zero, before - $0) } })
    }

    /// - Returns: nil if one of them may not be measured; what is gone counts nothing.
    private func size(of roots: [FilePath]) -> ByteCount? {
        var sum = ByteCount.zero
        // One within another is measured with it.
        for root in roots where !roots.contains(where: { $0 != root && root.lies(in: $0) }) {
            do {
                sum += try Scanner.totals(of: root, options: ScanOptions(now: clock())).allocated
            } catch {
                guard error.code == .notFound else { return nil }
            }
        }
        return sum
    }

    private static func program(
        _ name: String, of entry: CatalogueEntry, path: String
    ) throws(HeadroomError) -> FilePath {
        let isRoot = User.isRoot
        let system = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        for directory in (isRoot ? system : path).split(separator: ":") where directory.first == "/"
        {
            let file = FilePath(String(directory)).appending(name)
            guard let status = ProgramFile.status(of: file) else { continue }
            guard !isRoot || status.owner == 0 && status.permissions & 0o022 == 0 else {
                throw HeadroomError(
                    .refused,
                    "\(file.displayText) is not run for root: it belongs to somebody else, or somebody "
                        + "else can write it.")
            }
            return file
        }
        throw HeadroomError(
            .notFound,
            "\(name), which empties \(entry.name), is not installed, or not in PATH. Install it, or "
                + "leave \(entry.name) as it is.")
    }
}
