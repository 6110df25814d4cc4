//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R44: keys of a rule of the catalog")
struct CatalogueKeyTests {
    private static let entry = """
        [tool]
        name = Tool
        what = What it keeps
        path = ~/.tool/cache
        cost = It is made again
        source = https://example.com

        """

    private func entry(_ lines: String...) throws -> CatalogueEntry {
        let text = Self.entry + lines.joined(separator: "\n")
        return try #require(try Catalogue(parsing: text, origin: nil).entry("tool"))
    }

    /// The caches of a catalog with one entry in a home with these files.
    private func fixture(_ lines: String..., files: [String]) throws -> (
        fixture: CatalogueFixture, workspace: Workspace
    ) {
        let fixture = try CatalogueFixture(files)
        let text = Self.entry + lines.joined(separator: "\n")
        return (fixture, fixture.workspace(catalogue: try Catalogue(parsing: text, origin: nil)))
    }

    @Test("Reads lists from one line or several, with escaped spaces")
    func lists() throws {
        let entry = try entry(
            "shape = a  b*", "shape = Code\\ Cache", "lock = .lock ../lock /run/tool.lock",
            "protect = */LocalHistory", "requires = marker", "unit = directory")
        #expect(entry.shape == ["a", "b*", "Code\\ Cache"])
        #expect(entry.locks == [".lock", "../lock", "/run/tool.lock"])
        #expect(entry.protects == ["*/LocalHistory"])
        #expect(entry.requires == ["marker"])
        #expect(entry.unit == .directory)
    }

    @Test(
        "Names the line and the value that it cannot read",
        arguments: [
            ("lock = a/../b", "“a/../b” is not a value of “lock”"),
            ("lock = ..", "“..” is not a value of “lock”"),
            ("protect = ../mine", "does not lie in the directory"),
            ("protect = /etc", "does not lie in the directory"),
            ("shape = /etc/passwd", "“/etc/passwd” is not a value of “shape”"),
            ("shape = [", "“[” is not a value of “shape”"),
            ("shape =", "“shape” has no value"),
            ("shape = [0-9a-f]{0}", "“[0-9a-f]{0}” is not a value of “shape”"),
            ("unit = tree", "“tree” is not a value of “unit”"),
            ("requires = \\.\\.", "is not a value of “requires”"),
        ])
    func rejects(line: String, message: String) {
        let error = #expect(throws: HeadroomError.self) {
            try Catalogue(parsing: Self.entry + line, origin: nil)
        }
        #expect(error?.message.hasPrefix("Line 7") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("Rejects a path at a tool's own variable in a rule without a shape")
    func variableNeedsShape() throws {
        let text = Self.entry + "path = $TOOL_CACHE/files\n"
        let error = #expect(throws: HeadroomError.self) {
            try Catalogue(parsing: text, origin: nil)
        }
        #expect(error?.message.contains("Line 7") == true)
        #expect(error?.message.contains("[tool] has no “shape”") == true)
        #expect(throws: Never.self) {
            _ = try Catalogue(parsing: text + "shape = index\n", origin: nil)
        }
        // A rule that only protects may do so anywhere; base directories are not a tool's own.
        #expect(throws: Never.self) {
            _ = try Catalogue(parsing: text + "class = essential\n", origin: nil)
            _ = try Catalogue(parsing: Self.entry + "path = $XDG_CACHE_HOME/tool\n", origin: nil)
        }
    }

    @Test("Counts a directory only if it contains a name that the rule requires")
    func requires() throws {
        let without = try fixture("requires = marker", files: [".tool/cache/a"])
        #expect(without.workspace.wellKnownCaches().isEmpty)
        let with = try fixture(
            "requires = b marker", files: [".tool/cache/a", ".tool/cache/marker"])
        #expect(with.workspace.wellKnownCaches().count == 1)
        withExtendedLifetime((without.fixture, with.fixture)) {}
    }

    @Test(
        "Protects directories and files in a cache, also in directories that are purged whole",
        .tags(.r44e))
    func protects() throws {
        let (fixture, workspace) = try fixture(
            "protect = keep */notes */*.key", "unit = entry",
            files: [
                ".tool/cache/keep/a", ".tool/cache/one/notes/a", ".tool/cache/one/b",
                ".tool/cache/two/private.key", ".tool/cache/two/c", ".tool/cache/three/d",
            ])
        try workspace.purge([.all], through: .lastResort)
        for path in ["keep/a", "one/notes/a", "one/b", "two/private.key", "two/c"] {
            #expect(fixture.exists(".tool/cache/" + path), "\(path)")
        }
        #expect(!fixture.exists(".tool/cache/three"))
    }

    @Test("Keeps a protected file beside files that are purged one by one, and explains why")
    func protectsFile() throws {
        let (fixture, workspace) = try fixture(
            "protect = token", files: [".tool/cache/token", ".tool/cache/a"])
        let token = fixture.home.appending(".tool/cache/token")
        let scope = workspace.scope()
        let inventory = try scope.scan()
        let explainer = Explainer(
            inventory, try scope.request(targets: [.all], through: .lastResort))
        guard case .never(let reason) = explainer.explain(token).outlook else {
            Issue.record("the token would be purged")
            return
        }
        #expect(reason.code == .essential)
        #expect(reason.text.contains("The catalog protects it"))
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists(".tool/cache/token"))
        #expect(!fixture.exists(".tool/cache/a"))
    }

    @Test("Protects a file whose area a registration declares")
    func protectsFileInRegistration() throws {
        let (fixture, workspace) = try fixture(
            "protect = token", files: [".cache/mine/a", ".tool/cache/token", ".tool/cache/a"])
        let root = fixture.home.appending(".tool/cache")
        try workspace.mark(root) { $0.purgeClass = .cache }
        try workspace.ledger.register(Area(root: root, purgeClass: .cache, origin: "test"))
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists(".tool/cache/token"))
        #expect(!fixture.exists(".tool/cache/a"))
    }

    @Test("Hands the tool's lock files to the area, and never purges them")
    func locks() throws {
        let (fixture, workspace) = try fixture(
            "lock = lock ../tool.lock /run/tool.lock sub/*.lock",
            files: [".tool/cache/lock", ".tool/cache/a", ".tool/cache/sub/x.lock"])
        let root = fixture.home.appending(".tool/cache")
        let area = try #require(workspace.scope().areas.first { $0.root == root })
        #expect(
            area.lockFiles == [
                root.appending("lock"), fixture.home.appending(".tool/tool.lock"),
                "/run/tool.lock", root.appending("sub/x.lock"),
            ])
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists(".tool/cache/lock"))
        #expect(fixture.exists(".tool/cache/sub/x.lock"))
        #expect(!fixture.exists(".tool/cache/a"))
    }

    @Test("Purges a lock file together with the directory that it is a part of")
    func lockInUnit() throws {
        let (fixture, workspace) = try fixture(
            "lock = */tool.lock", "unit = entry", files: [".tool/cache/sub/tool.lock"])
        try workspace.purge([.all], through: .lastResort)
        #expect(!fixture.exists(".tool/cache/sub"))
    }
}
