//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
public import HeadroomCore
import HeadroomInventory
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
    /// It was ended because somebody wanted that.
    public var isCancelled: Bool
    /// What it wrote last, for people.
    public var output: String
    /// What its places occupy less than before; nil: they could not be measured.
    public var freed: ByteCount?

    public var succeeded: Bool { exitCode == 0 }
}

extension Workspace {
    /// Runs a well-known cache's own clean command, without a shell. Blocks.
    ///
    ///     let command = try workspace.cleaningCommand(of: entry, environment: environment)
    ///     print("Runs", command)
    ///     let done = try workspace.clean(entry, environment: environment)
    ///     print(done.succeeded, done.freed ?? .zero)
    ///
    /// What it removes is the tool's business: no rule of Headroom's holds in it, and nothing brings it
    /// back. It sees the environment that is handed over, nothing to read, and `/` as its directory.
    ///
    /// - Parameters:
    ///   - environment: the user's: tools find their caches by it.
    ///   - limit: after that time it is ended, with what it has started.
    ///   - isCancelled: asked several times a second; true ends it as well.
    /// - Throws: as ``cleaningCommand(of:environment:)``.
    public func clean(
        _ entry: CatalogueEntry, environment: [String: String], limit: Duration = .seconds(300),
        isCancelled: () -> Bool = { false }
    ) throws(HeadroomError) -> CatalogueCleaning {
        let command = try cleaningCommand(of: entry, environment: environment)
        let roots = caches.filter { $0.entry.id == entry.id }.map(\.root)
        let before = size(of: roots)
        let outcome: ToolCommand.Outcome
        do {
            outcome = try ToolCommand(
                command.program, command.arguments, environment: environment, limit: limit
            ).run(isCancelled: isCancelled)
        } catch {
            throw HeadroomError("run", command.program, error)
        }
        let after = size(of: roots)
        return CatalogueCleaning(
            entry: entry, program: command.program, exitCode: outcome.exitCode,
            isTimedOut: outcome.isTimedOut, isCancelled: outcome.isCancelled,
            output: String(decoding: outcome.output, as: UTF8.self),
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
}
