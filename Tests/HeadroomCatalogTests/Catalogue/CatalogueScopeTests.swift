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

@Suite("R32: well-known caches as areas")
struct CatalogueScopeTests {
    @Test(.tags(.r32c)) func cachesOutsideOfTheCacheDirectoryArePurged() throws {
        let fixture = try CatalogueFixture([
            ".cargo/registry/cache/index-1/a.crate", ".cargo/credentials.toml",
            ".npm/_cacache/index-v5/a",
            ".npmrc", "go/pkg/mod/github.com/a@v1/a.go", "go/src/a.go", "Documents/letter",
        ])
        try fixture.workspace().purge([.all])
        #expect(!fixture.exists(".cargo/registry/cache/index-1/a.crate"))
        #expect(fixture.exists(".cargo/registry/cache/index-1"))
        #expect(!fixture.exists(".npm/_cacache/index-v5/a"))
        #expect(!fixture.exists("go/pkg/mod/github.com"))
        for kept in [".cargo/credentials.toml", ".npmrc", "go/src/a.go", "Documents/letter"] {
            #expect(fixture.exists(kept), "\(kept)")
        }
    }

    @Test func withoutTheCatalogueTheyAreEssential() throws {
        let fixture = try CatalogueFixture([".cargo/registry/cache/index-1/a.crate"])
        try fixture.workspace(catalogue: Catalogue()).purge([.all])
        #expect(fixture.exists(".cargo/registry/cache/index-1/a.crate"))
    }

    @Test func whatGoesWholeGoesWhole() throws {
        let fixture = try CatalogueFixture([
            ".cache/mozilla/firefox/a.default/cache2/entries/1",
            ".cache/mozilla/firefox/a.default/cache2/index",
        ])
        let workspace = fixture.workspace()
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.free(.kilobytes(8))])
        #expect(plan.map(\.path.lastComponent?.string) == ["cache2"])
        #expect(plan.map(\.unit) == [.directory])
    }

    @Test func whatIsNoCacheIsProtectedAmongCaches() throws {
        let fixture = try CatalogueFixture([
            ".cache/huggingface/token", ".cache/huggingface/hub/models--a--b/blobs/1",
            ".cache/rclone/vfs/remote/new.doc", ".cache/rclone/other", ".cache/pre-commit/db.db",
            ".cache/JetBrains/Idea1/index/a", ".cache/JetBrains/Idea1/LocalHistory/changes",
            ".cache/plain/a",
        ])
        try fixture.workspace().purge([.all], through: .lastResort)
        for kept in [
            ".cache/huggingface/token", ".cache/rclone/vfs/remote/new.doc",
            // Kept with what is essential beside it.
            ".cache/rclone/other", ".cache/pre-commit/db.db",
            ".cache/JetBrains/Idea1/LocalHistory/changes",
        ] { #expect(fixture.exists(kept), "\(kept)") }
        for gone in [
            ".cache/huggingface/hub/models--a--b", ".cache/JetBrains/Idea1/index",
            ".cache/plain/a",
        ] { #expect(!fixture.exists(gone), "\(gone)") }
    }

    @Test(.tags(.r32c)) func modelsGoOnlyWithTheLastResort() throws {
        let fixture = try CatalogueFixture([".cache/huggingface/hub/models--a--b/blobs/1"])
        try fixture.workspace().purge([.all])
        #expect(fixture.exists(".cache/huggingface/hub/models--a--b/blobs/1"))
    }

    @Test func aReadOnlyTreeGoesWhole() throws {
        let fixture = try CatalogueFixture(["go/pkg/mod/github.com/a@v1/sub/a.go"])
        for path in ["home/go/pkg/mod/github.com/a@v1/sub", "home/go/pkg/mod/github.com/a@v1"] {
            try fixture.tree.setPermissions(0o555, of: TreePath(stringLiteral: path))
        }
        let receipt = try fixture.workspace().purge([.all])
        #expect(receipt.skipped == [])
        #expect(!fixture.exists("go/pkg/mod/github.com"))
        #expect(fixture.exists("go/pkg/mod"))
    }

    // MARK: - What people say holds

    @Test func aMarkAroundACacheHoldsInIt() throws {
        let fixture = try CatalogueFixture([
            ".cache/mozilla/firefox/a.default/cache2/1", ".cache/pip/wheels/a",
            ".cargo/git/db/a/HEAD",
        ])
        let workspace = fixture.workspace()
        try workspace.mark(fixture.home.appending(".cache/mozilla")) { $0.purgeClass = .lastResort }
        try workspace.mark(fixture.home.appending(".cache/pip/wheels")) { $0.isPinned = true }
        try workspace.mark(fixture.home.appending(".cargo")) { $0.purgeClass = .lastResort }
        try workspace.purge([.all])
        #expect(fixture.exists(".cache/mozilla/firefox/a.default/cache2/1"))
        #expect(fixture.exists(".cache/pip/wheels/a"))
        #expect(fixture.exists(".cargo/git/db/a/HEAD"))
        let receipt = try workspace.purge([.all], through: .lastResort)
        #expect(receipt.skipped == [])
        #expect(!fixture.exists(".cache/mozilla/firefox/a.default/cache2/1"))
        #expect(!fixture.exists(".cargo/git/db/a"))
        #expect(fixture.exists(".cache/pip/wheels/a"))
    }

    @Test func aRegisteredDirectoryIsWhatItWasRegisteredAs() throws {
        let fixture = try CatalogueFixture([".cache/mozilla/firefox/a.default/cache2/1"])
        let workspace = fixture.workspace()
        let own = Area(
            root: fixture.home.appending(".cache/mozilla"), purgeClass: .lastResort, origin: "test")
        try workspace.ledger.register(own)
        #expect(workspace.cataloguedRoots.isEmpty)
        #expect(workspace.scope().notes.isEmpty)
    }

    /// To shrink the cache directory to a size is to shrink it with all that is known in it.
    @Test func theCacheDirectoryIsShrunkAsAWhole() throws {
        let fixture = try CatalogueFixture()
        for name in ["pip/a", "pip/b", "thumbnails/a", "thumbnails/b", "other/a"] {
            try fixture.add(".cache/" + name, size: .kilobytes(400))
        }
        let cache = fixture.home.appending(".cache")
        try fixture.workspace().purge([.toLimit(.kilobytes(900))], in: [cache])
        let left = try Scanner.totals(of: cache, options: ScanOptions(now: .now())).allocated
        #expect(left <= .kilobytes(900))
        #expect(left > .kilobytes(700))
    }

    @Test func aCacheIsShrunkByItselfWhenItIsNamed() throws {
        let fixture = try CatalogueFixture()
        for name in ["pip/a", "pip/b", "other/a"] {
            try fixture.add(".cache/" + name, size: .kilobytes(400))
        }
        try fixture.workspace().purge(
            [.toLimit(.kilobytes(500))], in: [fixture.home.appending(".cache/pip")])
        #expect(fixture.exists(".cache/pip/a") != fixture.exists(".cache/pip/b"))
        #expect(fixture.exists(".cache/other/a"))
    }

    // MARK: - S11: variables that lead elsewhere

    @Test(
        .tags(.r32c, .r42c, .r42f),
        arguments: [
            (["RUSTUP_HOME": "home/Documents"], "home/Documents/downloads/thesis"),
            (["CCACHE_DIR": "home/Documents"], "home/Documents/a/thesis"),
            (["NPM_CONFIG_CACHE": "home/Documents/x"], "home/Documents/x/_cacache/thesis"),
        ])
    func nothingOfAPersonBecomesACache(variables: [String: String], file: String) throws {
        let fixture = try CatalogueFixture()
        try fixture.tree.file(TreePath(stringLiteral: file), size: .kilobytes(4))
        let workspace = fixture.workspace(
            variables.mapValues { fixture.directory.path.appending($0).string })
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.tree.exists(TreePath(stringLiteral: file)))
        let notice = try #require(workspace.cataloguedNotices.first)
        #expect(notice.contains("is not treated as a cache"))
        #expect(notice.contains("Documents"))
    }

    /// A drop-in can be written wrongly, too.
    @Test(arguments: [
        "~/Documents", "~/.config", "~/.local", "/var/tmp", "/usr/share", "/var/cache", "/dev/shm",
    ])
    func noEntryMakesAGuardedPlaceACache(path: String) throws {
        let fixture = try CatalogueFixture([
            "Documents/letter", ".config/a/b", ".local/share/a/b", ".local/bin/tool",
        ])
        let catalogue = try Catalogue(
            parsing: """
                [wrong]
                name = Wrong
                what = Not a cache
                path = \(path)
                cost = Everything
                source = https://example.com
                """, origin: "test")
        let workspace = fixture.workspace(catalogue: catalogue)
        #expect(workspace.cataloguedRoots.isEmpty)
    }

    @Test func aLinkIsNoCache() throws {
        let fixture = try CatalogueFixture(["Documents/letter"])
        try fixture.tree.directory("home/.cargo/registry")
        try fixture.tree.symbolicLink("home/.cargo/registry/index", to: "../../Documents")
        try fixture.workspace().purge([.all], through: .lastResort)
        #expect(fixture.exists("Documents/letter"))
    }

    @Test func aVariableThatIsTheCacheDirectoryChangesNothing() throws {
        let fixture = try CatalogueFixture([".cache/a", ".cache/0/b"])
        let workspace = fixture.workspace([
            "UV_CACHE_DIR": fixture.home.appending(".cache").string,
            "CCACHE_DIR": fixture.home.appending(".cache").string,
        ])
        try workspace.purge([.all])
        #expect(!fixture.exists(".cache/a"))
        #expect(!fixture.exists(".cache/0/b"))
    }

    // MARK: - The machine's

    @Test func theMachinesCachesAreNotPartOfAForeignHome() throws {
        let fixture = try CatalogueFixture()
        let ids = Set(fixture.workspace().cataloguedRoots.values)
        #expect(
            ids.isDisjoint(
                with: Catalogue.standard.entries.filter { $0.scope == .system }.map(\.id)))
    }

    @Test(.enabled(if: User.isRoot, "needs root: the machine's caches are root's"))
    func theMachinesCachesComeWhenTheyAreNamed() throws {
        let fixture = try CatalogueFixture()
        try fixture.tree.file("machine/archives/a.deb", size: .kilobytes(100))
        let root = fixture.directory.path.appending("machine/archives")
        let catalogue = try Catalogue(
            parsing: """
                [archives]
                name = Archives
                what = Packages
                path = \(root.string)
                scope = system
                cost = They are downloaded again
                source = https://example.com
                """, origin: "test")
        let workspace = fixture.workspace(catalogue: catalogue)
        #expect(workspace.cataloguedRoots.isEmpty)
        try workspace.purge([.all], in: [root])
        #expect(!fixture.tree.exists("machine/archives/a.deb"))
        #expect(fixture.tree.exists("machine/archives"))
    }

    // MARK: - What there is

    @Test func saysWhatIsThere() throws {
        let fixture = try CatalogueFixture([
            ".cache/pip/wheels/a", ".cache/uv/archive-v0/a", "Documents/a",
        ])
        let workspace = fixture.workspace()
        #expect(workspace.wellKnownCaches().map(\.entry.id) == ["pip", "uv"])
        let path = fixture.home.appending(".cache/pip/wheels/a")
        #expect(workspace.wellKnownCache(at: path)?.entry.name == "pip")
        #expect(workspace.wellKnownCache(at: fixture.home.appending("Documents/a")) == nil)
    }
}

extension CatalogueScopeTests {
    /// What nothing may purge piece by piece needs no backup, as long as it is a cache.
    @Test func aProtectedCacheIsLeftOutOfBackupsAndStateIsNot() throws {
        let fixture = try CatalogueFixture([
            ".cache/uv/archive-v0/a", ".cache/rclone/vfs/remote/new.doc",
        ])
        let reader = fixture.workspace().backupExclusionReader()
        let uv = try reader.exclusion(of: fixture.home.appending(".cache/uv/archive-v0/a"))
        let rclone = try reader.exclusion(
            of: fixture.home.appending(".cache/rclone/vfs/remote/new.doc"))
        #expect(uv.isExcluded)
        #expect(!rclone.isExcluded)
    }
}
