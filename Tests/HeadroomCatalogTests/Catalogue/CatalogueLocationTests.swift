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

@Suite("R44: a rule applies to every location of its program")
struct CatalogueLocationTests {
    /// Where a program's `~/.cache` is.
    static let cacheDirectories = [
        ".cache", ".var/app/org.example.App/cache", "snap/app/common/.cache", "snap/app/42/.cache",
    ]

    private func caches(
        _ files: [String], _ variables: [String: String] = [:]
    ) throws -> (CatalogueFixture, [String: Set<String>]) {
        let fixture = try CatalogueFixture(files)
        var found: [String: Set<String>] = [:]
        let here = CatalogueEnvironment(
            variables: variables.mapValues { fixture.directory.path.appending($0).string },
            home: fixture.home, platform: .linux)
        for cache in Catalogue.standard.caches(in: here) where cache.root.starts(with: fixture.home)
        {
            var path = cache.root
            _ = path.removePrefix(fixture.home)
            found[cache.entry.id, default: []].insert(path.string)
        }
        return (fixture, found)
    }

    @Test(
        "Finds a cache natively, in Flatpak and in Snap", .tags(.r44f), arguments: cacheDirectories)
    func cacheDirectory(cache: String) throws {
        let (_, found) = try caches([cache + "/thumbnails/normal/1.png"])
        #expect(found["thumbnails"] == [cache + "/thumbnails"])
    }

    @Test(
        "Finds caches below configuration, data and the home of a sandbox", .tags(.r44f),
        arguments: [
            (".var/app/com.visualstudio.code/config/Code/CachedData", "vscode"),
            ("snap/code/12/.config/Code/CachedData", "vscode"),
            (".var/app/com.valvesoftware.Steam/data/Steam/steamapps/shadercache", "steam-shaders"),
            ("snap/steam/common/.local/share/Steam/steamapps/shadercache", "steam-shaders"),
            (".var/app/org.example.Ide/.cargo/git/db", "cargo-git"),
            ("snap/ide/7/.npm/_cacache", "npm"),
        ])
    func otherDirectories(path: String, id: String) throws {
        let (_, found) = try caches([path + "/a/b"])
        #expect(found[id] == [path])
    }

    @Test("Does not follow the link from current to a revision of a snap")
    func currentRevision() throws {
        let (fixture, found) = try caches(["snap/app/42/.cache/thumbnails/1"])
        try fixture.tree.symbolicLink("home/snap/app/current", to: "42")
        let again = Catalogue.standard.caches(
            in: CatalogueEnvironment(variables: [:], home: fixture.home, platform: .linux))
        #expect(again.filter { $0.entry.id == "thumbnails" }.count == 1)
        #expect(found["thumbnails"] == ["snap/app/42/.cache/thumbnails"])
        #expect(found["snap-apps"] == ["snap/app/42/.cache"])
    }

    @Test("Finds caches in the home's own directory as well when a variable names another one")
    func bothCacheDirectories() throws {
        let (_, found) = try caches(
            [".cache/pip/wheels/a", "other/.cache/pip/wheels/b"],
            ["XDG_CACHE_HOME": "home/other/.cache"])
        #expect(found["pip"] == [".cache/pip", "other/.cache/pip"])
    }

    @Test(
        "Protects local history with and without a directory for each version", .tags(.r44f),
        arguments: cacheDirectories)
    func localHistory(cache: String) throws {
        let (_, found) = try caches([
            cache + "/JetBrains/LocalHistory/changes.storageData",
            cache + "/JetBrains/IdeaIC2024.1/LocalHistory/changes.storageData",
            cache + "/JetBrains/RemoteDev-IU/_home_project/LocalHistory/changes.storageData",
        ])
        // Those directly below JetBrains have the name of a history of any program, too.
        #expect(
            found["jetbrains-history", default: []].union(found["histories", default: []]) == [
                cache + "/JetBrains/LocalHistory", cache + "/JetBrains/IdeaIC2024.1/LocalHistory",
                cache + "/JetBrains/RemoteDev-IU/_home_project/LocalHistory",
            ])
    }

    /// Content that users need, as paths in a directory for caches.
    static let content = [
        "keepassxc/keepassxc.ini", "obexd/IMG_0001.jpg", "simple-scan/autosaves/autosave.pixels",
        "kioexec/krun/4711_0/report.odt", "evolution/calendar/abc/cache.db", "zsh/history",
        "vim/undo/%home%thesis.tex", "vim/swap/thesis.tex.swp", "nvim/undo/%home%thesis.tex",
        "nvim/swap/thesis.tex.swp", "lm-studio/conversations/1.json", "rclone/vfs/remote/doc.odt",
        "rclone/vfsMeta/remote/doc.odt", "inkscape/inkscape-autosave-1.svg",
        "FreeCAD/Cache/FreeCAD_Doc_1/fc_recovery_file.fcstd", "xournalpp/autosaves/1.xopp",
        "audacity/SessionData/project.aup3unsaved", "kdenlive/library/clip.mlt",
        "sessions/xfce4-session-host:0", "onedriver/home-me/onedriver.db", "cliphist/db",
        "lesshst", "python_history", "ani-hsts", "mysql/history", "someeditor/autosave/a.txt",
        "some-app/Drafts/1.eml", "mailer/outbox/1.eml", "huggingface/token",
        "JetBrains/Idea2026.1/LocalHistory/changes.storageData", "xfce4/clipman/textsrc",
        "emacs/auto-save/a", "fnm_multishells/1_2/bin", "dvc/a", "gleam/hex/hexpm/credentials",
        "some-app/auth_tokens.json", "vmware/drag_and_drop/a/b",
        "deno/location_data/1a2b/kv.sqlite3", "deno/deno_history.txt",
        "ibus/libpinyin/user_bigram.db", "ibus/libbopomofo/user_phrase_index.bin",
        "ms-playwright/mcp-chrome/Default/Preferences", "ms-playwright/daemon/1a/ud-default/a",
        "ms-playwright-mcp/mcp-chrome-1a2b/Default/Preferences", "web-app/Default/Login Data",
        "ff-profile/key4.db", "flaska.net/trojita/Drafts/1.draft", "org/editor/autosave/1.bak",
        "org/mailer/outbox/1.eml", "org/shell/history", "ncspot/librespot/credentials.json",
        "org/client/token", "rbw/https%3A%2F%2Fapi.bitwarden.com%2F:me.json", "krb5cc_1000",
        "zellij/0.43.1/session_info/work/session-layout.kdl",
        "strawberry/strawberry/lastfmscrobbler.cache", "rebar3/bin/rebar3",
        "drafts/1.eml", "outbox/1.eml", "credentials.json", "KeePassXC/keepassxc.ini",
        "tenacity/SessionData/New.aup3unsaved", "editor/files/New.aup3unsaved", ".fr-aBcDeF/a.odt",
        "prek/patches/1.patch", "some-tool/patches/1.patch", "wandb/offline-run-1/run.wandb",
        "google-drive-ocamlfuse/default/a.odt", "s3ql/s3c:=2F=2Fb-cache/1-0", "mounts/vfsMeta/a",
        "juicefs/1a2b/rawstaging/chunks/0_0", "R/BiocFileCache/1a_results.rds", "pins/local/a.csv",
        "molecule/role/default/state.yml", "gargle/0a1b_me@example.com", "httr2/client/0a.rds",
        "some-app/refresh_token", "org/app/msal_token_cache.json", "app/oauth2/a",
        "app/cookies.txt", "app/id_ed25519", "app/client-key.pem", "app/passwords.kdbx",
        "vim9/viminfo", "lvim/lvim.shada", "editor/.netrwhist",
        "golang-autocert/example.org", "go-build/fuzz/p/FuzzX/0a", "localstack/volume/state/a",
        "rclone/box/vfs/box/a.odt", "app/lists/bookmarks.json", "hypnotix/favorites/list",
        "rpcs3/savestates/game/1.zst", "mpv/watch_later/0A", "org/app/td.binlog",
    ]

    @Test(
        "Purges caches and keeps content that only looks like one", .tags(.r44e),
        arguments: cacheDirectories)
    func keepsContent(cache: String) throws {
        let purgeable = [
            "thumbnails/normal/1.png", "mesa_shader_cache/ab/cd", "tiles/1/2.png", "deno/npm/a/1",
            "ms-playwright/chromium-1100/chrome", "strawberry/strawberry/networkcache/a",
            "models/tokenizer.json", "fonts/cacert.pem",
        ]
        let fixture = try CatalogueFixture((Self.content + purgeable).map { cache + "/" + $0 })
        try fixture.workspace().purge([.all], through: .lastResort)
        for path in Self.content { #expect(fixture.exists(cache + "/" + path), "\(path)") }
        for path in purgeable { #expect(!fixture.exists(cache + "/" + path), "\(path)") }
    }

    @Test("Purges corepack's and node-gyp's versions and renv's packages whole", .tags(.r44b))
    func packageUnits() throws {
        let paths = [
            ".cache/node/corepack/v1/pnpm/9.1.0", ".cache/node-gyp/20.11.0",
            ".cache/R/renv/cache/v5/R-4.3/x86_64-pc-linux-gnu/dplyr",
            ".cache/R/renv/cache/v5/linux-ubuntu-jammy/R-4.4/x86_64-pc-linux-gnu/rlang",
        ]
        let fixture = try CatalogueFixture(paths.flatMap { [$0 + "/1.0/a/x/a", $0 + "/b"] })
        let scope = fixture.workspace().scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        let units = plan.filter { $0.unit == .directory }.map(\.path)
        #expect(Set(units) == Set(paths.map { fixture.home.appending($0) }))
        let renv = plan.filter { $0.path.string.contains("renv") }
        #expect(renv.allSatisfy { $0.purgeClass == .lastResort })
    }

    @Test(
        "Leaves a store that all models share to its own tool, and purges a model of its own whole",
        .tags(.r44h))
    func sharedModelStore() throws {
        let hub = ".cache/huggingface/hub"
        let shared = try CatalogueFixture([
            hub + "/blobs/on/one", hub + "/models--x--one/refs/main",
        ])
        try shared.tree.symbolicLink(
            "home/.cache/huggingface/hub/models--x--one/model.bin", to: "../blobs/on/one")
        try shared.workspace().purge([.all], through: .lastResort)
        #expect(shared.exists(hub + "/blobs/on/one"))
        #expect(shared.workspace().wellKnownCaches().map(\.entry.id).contains("huggingface-shared"))

        let classic = try CatalogueFixture([
            hub + "/models--x--one/blobs/a", hub + "/models--x--two/blobs/b",
        ])
        let scope = classic.workspace().scope()
        let plan = try scope.plan(
            try scope.scan(), targets: [.free(.kilobytes(8))], through: .lastResort)
        #expect(plan.map(\.unit) == [.directory])
    }
}
