//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A home of its own with well-known caches in it.
struct CatalogueFixture {
    let directory: TemporaryDirectory

    init(_ files: [String] = []) throws {
        directory = try TemporaryDirectory(on: .memory)
        try tree.directory("home")
        try tree.directory("tmp")
        for file in files { try add(file) }
    }

    var tree: Tree { directory.tree }
    var home: FilePath { directory.path.appending("home") }

    /// A file in the home.
    func add(_ file: String, size: ByteCount = .kilobytes(40)) throws {
        try tree.file(TreePath(stringLiteral: "home/" + file), size: size)
    }

    func exists(_ path: String) -> Bool { tree.exists(TreePath(stringLiteral: "home/" + path)) }

    func workspace(
        _ variables: [String: String] = [:], catalogue: Catalogue = .standard
    ) -> Workspace {
        var environment = variables
        environment["TMPDIR"] = directory.path.appending("tmp").string
        return Workspace.open(
            environment: environment, home: home, catalogue: catalogue,
            ledgerDirectory: directory.path.appending("state"), minIdle: .none,
            clock: { Timestamp.now() })
    }
}

extension Workspace {
    /// Purges what a scope has.
    @discardableResult
    func purge(
        _ targets: [Target], in paths: [FilePath] = [], through last: PurgeableClass = .cache
    ) throws -> Receipt {
        let scope = try scope(paths: paths, as: nil)
        let plan = try scope.plan(try scope.scan(), targets: targets, through: last)
        return try scope.purge(plan, requester: "test")
    }

    /// The catalogue's areas of its scope: id and root.
    var cataloguedRoots: [FilePath: String] {
        var roots: [FilePath: String] = [:]
        for area in scope().areas { roots[area.root] = area.catalogueID }
        return roots
    }

    /// Notices of variables that move entries of the catalog; the fixture's own `TMPDIR` has one as well.
    var cataloguedNotices: [String] { notices.filter { !$0.hasPrefix("TMPDIR") } }
}
