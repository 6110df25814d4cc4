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

@Suite("R44: what the catalog purges whole, last or not at all")
struct CatalogueUnitTests {
    /// Directories of which a tool needs all files, with the unit that contains them.
    static let wholes = [
        (".cache/coursier/arc/https/example.org/jdk17.tar.gz/jdk-17", ".cache/coursier/arc/https"),
        (".cache/coursier/jvm/adopt@1.17", ".cache/coursier/jvm/adopt@1.17"),
        (".cache/rebar3/plugins/rebar3_hex", ".cache/rebar3/plugins/rebar3_hex"),
        (".cache/pnpm/dlx/1a2b/19-1", ".cache/pnpm/dlx/1a2b"),
        (".cache/pocl/kcache/AB/CDEF", ".cache/pocl/kcache/AB"),
        (".cache/nvidia/GLCache/1a/2b", ".cache/nvidia/GLCache/1a"),
        (".nv/ComputeCache/1/a", ".nv/ComputeCache/1"),
        (".cache/mesa_shader_cache_db/part0", ".cache/mesa_shader_cache_db/part0"),
        (".cache/turborepo/bin/1.2", ".cache/turborepo/bin"),
        (".cache/meson/packagefiles/x-1.0", ".cache/meson/packagefiles/x-1.0"),
        (".ivy2/cache/org.example/module", ".ivy2/cache/org.example"),
        (".android/build-cache/1a2b", ".android/build-cache/1a2b"),
        (".cache/Homebrew/go_cache/a", ".cache/Homebrew/go_cache"),
        (".cache/matplotlib/tex.cache/1a", ".cache/matplotlib/tex.cache"),
        (".AMD/VkCache/1a", ".AMD/VkCache/1a"),
        (".cache/hatch/env/virtual/proj/1a/proj", ".cache/hatch/env/virtual/proj"),
        (".cache/rattler/cache/envs/proj-1/envs/default", ".cache/rattler/cache/envs/proj-1"),
        (".cache/rattler/cache/pkgs/python-3.12", ".cache/rattler/cache/pkgs/python-3.12"),
        (".cache/direnv/layouts/1a2b/python-3.12", ".cache/direnv/layouts/1a2b"),
        (".cache/helm/plugins/https-example", ".cache/helm/plugins/https-example"),
    ]

    @Test(
        "Purges content that a tool reads as a whole in one unit", .tags(.r44b), arguments: wholes)
    func wholeUnits(directory: String, unit: String) throws {
        let fixture = try CatalogueFixture([
            directory + "/a/1", directory + "/b/2", directory + "/3",
        ])
        let scope = fixture.workspace().scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        let root = fixture.home.appending(directory)
        let inside = plan.filter { $0.path.starts(with: root) || root.starts(with: $0.path) }
        #expect(inside.map(\.path) == [fixture.home.appending(unit)])
        #expect(inside.map(\.unit) == [.directory])
    }

    @Test(
        "Keeps what projects and installed programs use until the last resort",
        arguments: [
            ".cache/coursier/arc/https/example.org/jdk17.tar.gz/jdk-17/bin/java",
            ".cache/coursier/jvm/adopt@1.17/bin/java", ".yarn/berry/cache/lodash-npm-4-abc.zip",
            ".local/share/yarn/berry/cache/lodash-npm-4-abc.zip",
            ".cache/hatch/env/virtual/proj/1a/proj/bin/python", ".cache/hatch/pythons/3.12/python",
            ".cache/rattler/cache/envs/proj-1/envs/default/bin/python",
            ".cache/direnv/layouts/1a2b/python-3.12/bin/python",
            ".cache/helm/plugins/https-example/plugin.yaml",
        ])
    func lastResort(file: String) throws {
        let fixture = try CatalogueFixture([file])
        try fixture.workspace().purge([.all])
        #expect(fixture.exists(file))
        try fixture.workspace().purge([.all], through: .lastResort)
        #expect(!fixture.exists(file))
    }

    /// Content that is kept, a cache beside it, and variables of the tool.
    static let neighbors: [(String, String, [String: String])] = [
        (".cache/emacs/scratch/notes", ".cache/pip/http/a", [:]),
        (".cache/emacs/.persistent-scratch", ".cache/pip/http/a", [:]),
        (".cache/doom/scratch/notes", ".cache/pip/http/a", [:]),
        (".cache/nvim/scratch/notes.md", ".cache/nvim/luac/a", [:]),
        (".kube/cache/oidc-login/1a2b", ".kube/cache/discovery/host/a", [:]),
        (".kube/cache/kubelogin/auth.json", ".kube/cache/discovery/host/a", [:]),
        (
            "deno/location_data/1a/kv.sqlite3", "deno/npm/registry.npmjs.org/a/1",
            ["DENO_DIR": "home/deno"]
        ),
        (
            "browsers/mcp-chrome/Default/Preferences", "browsers/chromium-1/a",
            ["PLAYWRIGHT_BROWSERS_PATH": "home/browsers"]
        ),
    ]

    @Test(
        "Keeps tokens, storage of programs and profiles beside caches", .tags(.r44e),
        arguments: neighbors)
    func protects(kept: String, purged: String, variables: [String: String]) throws {
        let fixture = try CatalogueFixture([kept, purged])
        let environment = variables.mapValues { fixture.directory.path.appending($0).string }
        try fixture.workspace(environment).purge([.all], through: .lastResort)
        #expect(fixture.exists(kept))
        #expect(!fixture.exists(purged))
    }

    @Test("Protects content of /tmp and /var/tmp in the /var/tmp of a Flatpak", .tags(.r44f))
    func flatpakTemporary() throws {
        let cache = ".var/app/org.example.App/cache"
        let kept = [
            "audacity-me/project1/b.au", "thesis.tex.swp", ".notes.txt.svz", "quit.blend",
            ".arduinoIDE-unsaved1/a/a.ino", "kubectl-edit-1.yaml", "#report.tex#", "report.tex~",
            ".report.tex.un~", "%home%me%report.tex", "nano.4711.save", "crontab.aB3/crontab",
            "orcaslicer_model/1/1#4711#85/.3mf", "wandb/offline-run-1/run.wandb",
            "kafka-logs/a-0/1.log",
        ].map { cache + "/tmp/" + $0 }
        let fixture = try CatalogueFixture(kept + [cache + "/old/x"])
        try fixture.workspace().purge([.all], through: .lastResort)
        for path in kept { #expect(fixture.exists(path), "\(path)") }
        #expect(!fixture.exists(cache + "/old/x"))
    }

    @Test("Applies no rule of the system in the /var/tmp of a Flatpak")
    func systemRuleInFlatpak() throws {
        let text = """
            [tool]
            name = Tool
            what = What it keeps
            path = /var/tmp/tool
            scope = system
            cost = It is created again
            source = https://example.com
            """
        let fixture = try CatalogueFixture([".var/app/org.example.App/cache/tmp/tool/a"])
        let catalogue = try Catalogue(parsing: text, origin: nil)
        let here = CatalogueEnvironment(variables: [:], home: fixture.home, platform: .linux)
        #expect(!catalogue.caches(in: here).contains { $0.root.starts(with: fixture.home) })
    }

    @Test("Doesn't look for drafts in a store with more than 200 directories")
    func stores() throws {
        let store = (0..<201).map { ".cache/store/\($0)/draft" }
        let fixture = try CatalogueFixture(store + [".cache/org/app/draft"])
        let here = CatalogueEnvironment(variables: [:], home: fixture.home, platform: .linux)
        let found = Catalogue.standard.survey(in: here)
        #expect(
            found.protectedFiles.filter { $0.starts(with: fixture.home) }
                == [fixture.home.appending(".cache/org/app/draft")])
    }

    @Test("Protects the directory that contains more drafts than a pattern may match", .tags(.r44e))
    func manyDrafts() throws {
        let drafts = (0..<4100).map { ".cache/mailer/draft-\($0)" }
        let fixture = try CatalogueFixture([".cache/other/a"])
        for draft in drafts { try fixture.add(draft, size: ByteCount(1)) }
        try fixture.workspace().purge([.all])
        #expect(fixture.exists(".cache/mailer/draft-0"))
        #expect(fixture.exists(".cache/mailer/draft-4099"))
        #expect(!fixture.exists(".cache/other/a"))
    }
}
