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

@Suite("R42: variables move an entry of the catalog only to its tool's content")
struct CatalogueVariableTests {
    /// Workspaces whose variables name directories in the fixture.
    private func workspace(
        _ variables: [String: String], _ fixture: CatalogueFixture
    ) -> Workspace {
        fixture.workspace(
            variables.mapValues { fixture.directory.path.appending($0).string })
    }

    @Test("Purges pip's content where its variable says")
    func movedCache() throws {
        let fixture = try CatalogueFixture([
            "data/pip/http-v2/1/2/3/a", "data/pip/wheels/1a/2b/x.whl",
        ])
        let workspace = workspace(["PIP_CACHE_DIR": "home/data/pip"], fixture)
        try workspace.purge([.all])
        #expect(!fixture.exists("data/pip/http-v2/1/2/3/a"))
        #expect(!fixture.exists("data/pip/wheels/1a/2b/x.whl"))
        #expect(workspace.cataloguedNotices.isEmpty, "\(workspace.cataloguedNotices)")
    }

    @Test(
        "Keeps content that the tool did not create, and says which names are missing",
        arguments: [
            ("PIP_CACHE_DIR", "wheels/design.stl"), ("HF_HOME", "hub/thesis/model.bin"),
            ("CCACHE_DIR", "a/notes"), ("GOCACHE", "ab/letter"), ("CARGO_HOME", "git/db/mine"),
            ("HF_HUB_CACHE", "my-model/weights"), ("RESTIC_CACHE_DIR", "ab12/keys"),
        ])
    func foreignContent(variable: String, file: String) throws {
        let fixture = try CatalogueFixture(["work/" + file])
        let workspace = workspace([variable: "home/work"], fixture)
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists("work/" + file))
        let notice = try #require(workspace.cataloguedNotices.first)
        #expect(notice.hasPrefix("\(variable) is "), "\(notice)")
        #expect(notice.contains("headroom dir add"), "\(notice)")
    }

    @Test(
        "Keeps a tool's content in a project, in a repository and beside documents",
        arguments: [
            "home/work/package.json", "home/work/.git/HEAD", "home/work/thesis.odt",
            "home/work/pip/Cargo.toml",
        ])
    func project(file: String) throws {
        let fixture = try CatalogueFixture(["work/pip/http-v2/1/2/a"])
        try fixture.tree.file(TreePath(stringLiteral: file), size: .kilobytes(4))
        let value = file.hasSuffix(".odt") ? "home/work" : "home/work/pip"
        if value == "home/work" { try fixture.add("work/http-v2/1/2/a") }
        let workspace = workspace(["PIP_CACHE_DIR": value], fixture)
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists("work/pip/http-v2/1/2/a"))
        if value == "home/work" { #expect(fixture.exists("work/http-v2/1/2/a")) }
        let notice = try #require(workspace.cataloguedNotices.first)
        #expect(notice.contains("PIP_CACHE_DIR is "), "\(notice)")
        #expect(notice.contains("nothing in it is purged by default"), "\(notice)")
    }

    @Test("Says nothing of a variable that names an empty or missing directory")
    func emptyDirectory() throws {
        let fixture = try CatalogueFixture()
        try fixture.tree.directory("home/empty/wheels")
        for value in ["home/empty", "home/missing"] {
            let workspace = workspace(["PIP_CACHE_DIR": value, "HF_HOME": value], fixture)
            #expect(workspace.cataloguedNotices.isEmpty, "\(workspace.cataloguedNotices)")
            let areas = workspace.scope().areas.filter { $0.catalogueID != nil }
            #expect(areas.allSatisfy { $0.purgeClass == .essential })
        }
    }

    @Test("Keeps another tool's directory that a variable names by mistake")
    func otherTool() throws {
        let fixture = try CatalogueFixture([".tool/wheels/settings.ini", ".ssh/a"])
        try workspace(["PIP_CACHE_DIR": "home/.tool", "UV_CACHE_DIR": "home/.ssh"], fixture)
            .purge([.all], through: .lastResort)
        #expect(fixture.exists(".tool/wheels/settings.ini"))
        #expect(fixture.exists(".ssh/a"))
    }

    @Test("Keeps other content of a directory that a variable names and that the tool shares")
    func sharedDirectory() throws {
        let fixture = try CatalogueFixture([
            "models/models--a--b/blobs/1", "models/my-finetune/weights", "models/notes.cfg",
        ])
        let workspace = workspace(["HF_HUB_CACHE": "home/models"], fixture)
        try workspace.purge([.all], through: .lastResort)
        #expect(!fixture.exists("models/models--a--b"))
        #expect(fixture.exists("models/my-finetune/weights"))
        #expect(fixture.exists("models/notes.cfg"))
    }

    @Test(
        "Protects essential content and caches that only a tool may empty, wherever a variable leads"
    )
    func protectsAnywhere() throws {
        let fixture = try CatalogueFixture([
            ".cache/project/.git/HEAD", ".cache/project/vfs/remote/doc.odt",
            ".cache/project/archive-v0/a",
        ])
        let workspace = workspace(
            ["RCLONE_CACHE_DIR": "home/.cache/project", "UV_CACHE_DIR": "home/.cache/project"],
            fixture)
        let areas = workspace.scope().areas.filter { $0.catalogueID != nil }
        #expect(Set(areas.compactMap(\.catalogueID)) == ["rclone", "uv"])
        #expect(areas.allSatisfy { $0.purgeClass == .essential })
        // Backups include such a directory: it may hold more than uv's cache.
        let exclusion = try workspace.backupExclusionReader().exclusion(
            of: fixture.home.appending(".cache/project/vfs/remote/doc.odt"))
        #expect(!exclusion.isExcluded)
    }
}
