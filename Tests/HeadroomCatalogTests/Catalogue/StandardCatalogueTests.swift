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

@Suite("R44: the catalog that comes with Headroom")
struct StandardCatalogueTests {
    @Test(
        "Cites a source, and has a shape at each tool's variable",
        arguments: Catalogue.standard.entries)
    func sourcesAndShapes(entry: CatalogueEntry) {
        #expect(entry.source.hasPrefix("https://"))
        if entry.purgeClass != .essential, entry.places.contains(where: { $0.variable != nil }) {
            #expect(!entry.shape.isEmpty)
        }
        for text in entry.shape + entry.requires + entry.protects {
            #expect(CataloguePattern(text) != nil, "\(text)")
        }
        // Files of these names are in directories of all kinds; names that lead up name no content.
        let common: Set<String> = ["README", "version", "version.txt", "config", "downloads"]
        let own = entry.shape.filter { !$0.hasPrefix("../") && !common.contains($0) }
        #expect(!entry.isPurgeable || own.isEmpty == entry.shape.isEmpty)
    }

    @Test("States a unit in each purgeable entry")
    func units() {
        for text in EmbeddedCatalogue.texts {
            for section in text.content.split(separator: "\n\n") {
                let lines = section.split(separator: "\n")
                let isKept =
                    lines.contains("class      = essential")
                    || lines.contains("by         = command")
                #expect(
                    isKept || lines.contains { $0.hasPrefix("unit ") },
                    "\(lines.first { $0.hasPrefix("[") } ?? "") in \(text.file)")
            }
        }
    }

    @Test("Has two hundred entries, seventy more than before locations and shapes were known")
    func size() {
        #expect(Catalogue.standard.entries.count >= 200)
        #expect(Catalogue.standard.entries.filter { $0.purgeClass == .essential }.count >= 40)
    }

    @Test(
        "Declares the locks of the tools that hold one while they work",
        arguments: [
            ("apt", "/var/cache/apt/archives", "/var/cache/apt/archives/lock"),
            ("apt", "/var/cache/apt/archives", "/var/lib/dpkg/lock-frontend"),
            ("dnf", "/var/cache/dnf", "/run/dnf/rpmtransaction.lock"),
            ("dnf", "/var/cache/dnf", "/var/cache/dnf/metadata_lock.pid"),
            ("dnf", "/var/cache/dnf", "/var/cache/dnf/download_lock.pid"),
            ("dnf", "/var/cache/libdnf5", "/usr/lib/sysimage/libdnf5/system-repo.lock"),
            ("dnf", "/var/cache/libdnf5", "/var/lib/dnf/system-repo.lock"),
            ("zypper", "/var/cache/zypp/packages", "/run/zypp.pid"),
        ])
    func systemLocks(id: String, root: FilePath, lock: FilePath) throws {
        let entry = try #require(Catalogue.standard.entry(id))
        let locks = entry.locks.map { $0.hasPrefix("/") ? FilePath($0) : root.appending($0) }
        #expect(locks.contains(lock))
    }

    @Test(
        "Finds the locks of a user's tools", .tags(.r43f),
        arguments: [
            (".cargo/registry/cache/index-1/a.crate", ".cargo/.package-cache"),
            (".cargo/registry/index/index-1/a", ".cargo/.package-cache"),
            (".cargo/git/db/a/b", ".cargo/.package-cache"),
            ("go/pkg/mod/example.com/a", "go/pkg/mod/cache/lock"),
            (".gradle/caches/journal-1/journal-1.lock", ".gradle/caches/journal-1/journal-1.lock"),
            (".cache/uv/archive-v0/a", ".cache/uv/.lock"),
            (".cache/pre-commit/db.db", ".cache/pre-commit/.lock"),
            (".opam/download-cache/md5/a", ".opam/lock"),
            (
                ".cache/huggingface/hub/.locks/models--a--b/c.lock",
                ".cache/huggingface/hub/.locks/models--a--b/c.lock"
            ),
        ])
    func userLocks(file: String, lock: String) throws {
        let fixture = try CatalogueFixture([file])
        let locks = fixture.workspace().scope().areas.flatMap(\.lockFiles)
        #expect(locks.contains(fixture.home.appending(lock)))
    }

    @Test("Keeps the repository from which opam's clones borrow objects", .tags(.r44h))
    func opamRepository() throws {
        let fixture = try CatalogueFixture([
            ".opam/download-cache/git/objects/pack/a", ".opam/download-cache/md5/aa/b",
        ])
        try fixture.workspace().purge([.all], through: .lastResort)
        #expect(fixture.exists(".opam/download-cache/git/objects/pack/a"))
        #expect(!fixture.exists(".opam/download-cache/md5/aa/b"))
    }

    @Test("Promises nothing for a file that is also linked from outside of the cache", .tags(.r45d))
    func hardLinks() throws {
        let fixture = try CatalogueFixture([".cache/pip/wheels/old", "installed/core"])
        try fixture.tree.hardLink("home/.cache/pip/wheels/core", to: "home/installed/core")
        let workspace = fixture.workspace()
        let caches = workspace.wellKnownCaches()
        let scope = workspace.scope(of: caches)
        #expect(scope.roots.map(\.path) == [fixture.home.appending(".cache/pip")])
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        let freed = plan.summary().areas.reduce(ByteCount.zero) { $0 + $1.sum.bytes }
        #expect(freed >= .kilobytes(40) && freed < .kilobytes(60))
    }
}
