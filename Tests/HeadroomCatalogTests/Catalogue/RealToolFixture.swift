//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A home in which real tools fill their caches, without network.
struct RealToolFixture {
    let fixture: CatalogueFixture

    init() throws { fixture = try CatalogueFixture() }

    var tree: Tree { fixture.tree }
    var base: FilePath { fixture.directory.path }

    /// The path of a program of the distribution; nil: it is not installed.
    static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/lib/go/bin/", "/usr/local/bin/"].map { $0 + name }
            .first { ContainsProgram.at($0) }
    }

    static func has(_ names: String...) -> Bool { names.allSatisfy { program($0) != nil } }

    /// Runs a tool as somebody whose home this is.
    @discardableResult
    func run(
        _ program: String, _ arguments: String..., in directory: String = "",
        with variables: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) throws -> String {
        var environment: [String: String?] = [:]
        for name in Catalogue.standard.variables { environment.updateValue(nil, forKey: name) }
        for name in ["CARGO_HOME", "RUSTUP_HOME", "PIP_FIND_LINKS", "XDG_CACHE_HOME", "GOFLAGS"] {
            environment.updateValue(nil, forKey: name)
        }
        environment["HOME"] = fixture.home.string
        environment["TMPDIR"] = base.appending("tmp").string
        environment["PATH"] = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/swift/usr/bin"
        for (name, value) in variables { environment[name] = value }
        let result = try ChildProcess.run(
            program, arguments, environment: environment,
            directory: directory.isEmpty ? base : base.appending(directory))
        try #require(
            result.succeeded,
            "\(program): \(result.errors.suffix(600)) \(result.output.suffix(300))",
            sourceLocation: location)
        return result.output
    }

    /// The directory of a cache that the tool has filled.
    func cache(
        _ id: String, catalogue: Catalogue = .standard
    ) throws -> (workspace: Workspace, roots: [FilePath]) {
        let workspace = fixture.workspace(catalogue: catalogue)
        return (workspace, workspace.wellKnownCaches().filter { $0.entry.id == id }.map(\.root))
    }

    func size(_ root: FilePath) throws -> ByteCount {
        try Scanner.totals(of: root, options: ScanOptions(now: .now())).allocated
    }

    /// Purges a cache in part and then wholly; after each the tool has to work as before.
    ///
    /// - Parameter works: uses what the cache is for, and expects the result.
    func purge(
        _ id: String, catalogue: Catalogue = .standard, afterwards works: () throws -> Void
    ) throws {
        let (workspace, roots) = try cache(id, catalogue: catalogue)
        try #require(
            !roots.isEmpty, "the tool has filled no cache that the catalogue knows as \(id)")
        let before = try roots.reduce(ByteCount.zero) { $0 + (try size($1)) }
        let part = try workspace.purge(
            [.free(ByteCount(before.bytes / 3))], in: roots, through: .lastResort)
        #expect(part.removedCount > 0)
        #expect(part.skipped == [])
        try works()
        let all = try workspace.purge([.all], in: roots, through: .lastResort)
        #expect(all.skipped == [])
        for root in roots
        where try Scanner.totals(of: root, options: ScanOptions(now: .now())).files > 0 {
            let left = try ChildProcess.run("find", [root.string, "-type", "f"]).output
            // A lock file is a part of no cache: another process may take it at any time.
            let names = left.split(separator: "\n").map {
                String($0.split(separator: "/").last ?? "")
            }
            #expect(names.allSatisfy { $0 == "CACHEDIR.TAG" || $0.hasSuffix("lock") }, "\(left)")
        }
        try works()
    }
}

private enum ContainsProgram {
    static func at(_ path: String) -> Bool {
        (try? Tree(root: "/").status(of: TreePath(stringLiteral: String(path.dropFirst())))) != nil
    }
}
