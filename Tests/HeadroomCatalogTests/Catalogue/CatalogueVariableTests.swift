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

@Suite("R42: variables move an entry of the catalog only to its tool's content")
struct CatalogueVariableTests {
    /// Workspaces whose variables name directories in the fixture.
    private func workspace(
        _ variables: [String: String], _ fixture: CatalogueFixture
    ) -> Workspace {
        fixture.workspace(
            variables.mapValues { fixture.directory.path.appending($0).string })
    }

    @Test("Purges pip's content where its variable says", .tags(.r42e))
    func movedCache() throws {
        let fixture = try CatalogueFixture([
            "data/pip/http-v2/1/2/3/a", "data/pip/wheels/1a/2b/3c/x.whl",
        ])
        let workspace = workspace(["PIP_CACHE_DIR": "home/data/pip"], fixture)
        try workspace.purge([.all])
        #expect(!fixture.exists("data/pip/http-v2/1/2/3/a"))
        #expect(!fixture.exists("data/pip/wheels/1a/2b/3c/x.whl"))
        #expect(workspace.cataloguedNotices.isEmpty, "\(workspace.cataloguedNotices)")
    }

    @Test(
        "Keeps content that the tool did not create, and says which names are missing",
        .tags(.r42c, .r42e),
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
        "Keeps a tool's content in a project, in a repository and beside documents", .tags(.r42f),
        arguments: [
            "home/work/package.json", "home/work/.git/HEAD", "home/work/thesis.odt",
            "home/work/pip/Cargo.toml",
        ])
    func project(file: String) throws {
        let fixture = try CatalogueFixture(["work/pip/http-v2/1/2/3/a"])
        try fixture.tree.file(TreePath(stringLiteral: file), size: .kilobytes(4))
        let value = file.hasSuffix(".odt") ? "home/work" : "home/work/pip"
        if value == "home/work" { try fixture.add("work/http-v2/1/2/3/a") }
        let workspace = workspace(["PIP_CACHE_DIR": value], fixture)
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists("work/pip/http-v2/1/2/3/a"))
        if value == "home/work" { #expect(fixture.exists("work/http-v2/1/2/3/a")) }
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

    @Test("Keeps another tool's directory that a variable names by mistake", .tags(.r42f))
    func otherTool() throws {
        let fixture = try CatalogueFixture([".tool/wheels/settings.ini", ".ssh/a"])
        try workspace(["PIP_CACHE_DIR": "home/.tool", "UV_CACHE_DIR": "home/.ssh"], fixture)
            .purge([.all], through: .lastResort)
        #expect(fixture.exists(".tool/wheels/settings.ini"))
        #expect(fixture.exists(".ssh/a"))
    }

    @Test(
        "Keeps other content of a directory that a variable names and that the tool shares",
        .tags(.r42e))
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

    private static let digits64 = String(repeating: "0123456789abcdef", count: 4)
    private static let digits40 = String(digits64.prefix(40))

    /// A variable, content of its tool and content of the user below the same directory.
    static let neighbors: [(String, String, [String])] = [
        ("BORG_CACHE_DIR", "\(digits64)/chunks", ["data/README", "data/survey.csv"]),
        ("RESTIC_CACHE_DIR", "\(digits64)/version", ["cafe/version", "cafe/menu.odt"]),
        (
            "COMPOSER_CACHE_DIR", "files/twig/twig/\(digits40).zip",
            ["files/clients/acme/contract.odt", "files/clients/acme/contract.zip"]
        ),
        ("PIP_CACHE_DIR", "wheels/1a/2b/3c/a.whl", ["wheels/mine-1.0.whl", "wheels/1a/mine/b"]),
        ("POETRY_CACHE_DIR", "artifacts/1a/2b/3c/a", ["artifacts/sculpture/photo.bin"]),
        ("GRADLE_USER_HOME", "caches/modules-2/a", ["caches/mine/x.bin"]),
        ("PUB_CACHE", "git/args-\(digits40)/a", ["git/mine/y.c", "git/cache/y"]),
        ("ELM_HOME", "0.19.1/packages/elm/core/1.0.5/a", ["0.19.1/packages/own/src.txt"]),
        ("GOCACHE", "ab/\(digits64)-a", ["ab/own.txt", "ab/notes-a"]),
        ("HF_HOME", "hub/models--a--b/blobs/1", ["hub/my-finetune/model.safetensors"]),
        ("HF_HOME", "datasets/downloads/\(digits64)", ["datasets/mine/x.arrow"]),
        (
            "TORCH_HOME", "hub/checkpoints/resnet50-0676ba61.pth",
            ["hub/checkpoints/my-run.pt", "hub/checkpoints/my-run-20260101.pth"]
        ),
        (
            "TF_PLUGIN_CACHE_DIR", "registry.example.com/acme/null/3.2.1/linux_amd64/a",
            ["clients/acme/contract.odt", "registry.example.com/acme/mine/notes"]
        ),
    ]

    @Test(
        "Purges only names of the tool's shape below a variable", .tags(.r42e), arguments: neighbors
    )
    func neighbor(variable: String, purged: String, kept: [String]) throws {
        let fixture = try CatalogueFixture((kept + [purged]).map { "work/" + $0 })
        try workspace([variable: "home/work"], fixture).purge([.all], through: .lastResort)
        for path in kept { #expect(fixture.exists("work/" + path), "\(path)") }
        #expect(!fixture.exists("work/" + purged))
    }

    @Test(
        "Purges below some variables only if the tool's own files lie around the directory",
        .tags(.r42e),
        arguments: [
            ("PYENV_ROOT", "cache/Python-3.13.0.tar.xz", "versions/3.13.0/a", "cache/y"),
            ("GEM_HOME", "cache/rake-13.gem", "specifications/rake-13.gemspec", "cache/notes"),
            ("SDKMAN_DIR", "tmp/java-21.zip", "candidates/java/a", "tmp/mine.txt"),
        ])
    func around(variable: String, purged: String, around: String, kept: String) throws {
        let fixture = try CatalogueFixture(["work/" + purged, "work/" + kept])
        let workspace = workspace([variable: "home/work"], fixture)
        try workspace.purge([.all], through: .lastResort)
        #expect(fixture.exists("work/" + purged))
        #expect(workspace.cataloguedNotices.first?.contains("\(variable) is ") == true)
        try fixture.add("work/" + around)
        try self.workspace([variable: "home/work"], fixture).purge([.all], through: .lastResort)
        #expect(!fixture.exists("work/" + purged))
        #expect(fixture.exists("work/" + kept))
    }

    @Test("Says nothing of a directory without results beside one with results")
    func partlyUsed() throws {
        let result = "47u2kajgqdt97v6admmb3uj0lvsr448M"
        let fixture = try CatalogueFixture([
            "work/4/5/" + result, "work/4/stats", "work/0/stats", "work/7/stats",
        ])
        let workspace = workspace(["CCACHE_DIR": "home/work"], fixture)
        try workspace.purge([.all])
        #expect(!fixture.exists("work/4/5/" + result))
        #expect(fixture.exists("work/4/stats"))
        #expect(workspace.cataloguedNotices.isEmpty, "\(workspace.cataloguedNotices)")
    }

    @Test(
        "Keeps files in a directory that a base variable names and that has another name",
        .tags(.r42c))
    func baseVariable() throws {
        let files = ["Code/Cache/x", "Code/logs/experiment.log"]
        let fixture = try CatalogueFixture(
            files.map { "proj/" + $0 } + files.map { ".config/" + $0 })
        let workspace = workspace(["XDG_CONFIG_HOME": "home/proj"], fixture)
        try workspace.purge([.all], through: .lastResort)
        for file in files { #expect(fixture.exists("proj/" + file), "\(file)") }
        #if os(Linux)
        // Programs that ran without the variable use the standard directory.
        for file in files { #expect(!fixture.exists(".config/" + file), "\(file)") }
        let notices = workspace.cataloguedNotices
        #expect(
            notices.contains { $0.hasPrefix("XDG_CONFIG_HOME is ") && $0.contains("--as cache") },
            "\(notices)")
        #endif
    }
}
