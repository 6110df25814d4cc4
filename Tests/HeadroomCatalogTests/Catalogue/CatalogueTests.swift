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

@Suite("R32: catalogue")
struct CatalogueTests {
    @Test func everyTextThatComesWithHeadroomCanBeRead() throws {
        #expect(EmbeddedCatalogue.texts.count >= 5)
        for text in EmbeddedCatalogue.texts {
            #expect(throws: Never.self) { try Catalogue(parsing: text.content, origin: text.file) }
        }
        #expect(Catalogue.standard.notes.isEmpty)
    }

    /// The program's text is written from the data files: whoever changes one must not forget the other.
    @Test func whatIsEmbeddedIsWhatTheDataFilesSay() throws {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
            .removingLastComponent().removingLastComponent()
        let data = Tree(root: root.appending("Data/Catalogue"))
        var fromFiles = Catalogue()
        for text in EmbeddedCatalogue.texts {
            let bytes = try data.contents(of: TreePath(stringLiteral: text.file))
            fromFiles = fromFiles.adding(
                try Catalogue(parsing: String(decoding: bytes, as: UTF8.self), origin: nil))
        }
        let names = try data.names(in: TreePath()).map(\.text)
        #expect(Set(names) == Set(EmbeddedCatalogue.texts.map(\.file)))
        #expect(fromFiles == Catalogue.standard)
    }

    @Test(.tags(.r32c)) func namesWhatTheSpecificationNames() {
        let ids = Set(Catalogue.standard.entries.map(\.id))
        #expect(
            ids.isSuperset(of: [
                "pip", "npm", "cargo", "go-build", "go-modules", "swiftpm", "xcode-derived-data",
                "ccache", "thumbnails", "chrome", "chromium", "firefox", "apt", "journald",
                "docker",
                "podman", "flatpak", "snap", "coredump",
            ]))
        #expect(ids.count == Catalogue.standard.entries.count)
    }

    @Test(arguments: Catalogue.standard.entries)
    func anEntryIsComplete(entry: CatalogueEntry) {
        #expect(entry.source.hasPrefix("https://"))
        #expect(!entry.name.isEmpty && entry.name.count <= 24)
        for text in [entry.summary, entry.cost] {
            #expect(
                text.first?.isUppercase == true || text.hasPrefix("apropos")
                    || text.hasPrefix("gem ")
                    || text.hasPrefix("cabal "), "\(text)")
            #expect(text.last != ".", "\(text)")
        }
        // A machine's cache is found without a user's variables, and a user's not in the machine's places.
        let begins = entry.places.map(\.text.first)
        if entry.scope == .system { #expect(begins.allSatisfy { $0 == "/" }) }
        // A program is found by its name: nothing is run through a shell.
        #expect(entry.command.allSatisfy { !$0.contains(where: "|&;<>$`*?'\"".contains) })
    }

    /// Profiles, cookies, local storage, keys and settings: no entry that may be purged leads there.
    @Test(arguments: [
        ".mozilla/firefox/p.default/cookies.sqlite", ".config/google-chrome/Default/Cookies",
        ".config/google-chrome/Default/Local Storage/leveldb/1.ldb",
        ".config/google-chrome/Default/Service Worker/CacheStorage/a/b",
        ".config/chromium/Default/IndexedDB/x/1", ".config/Code/User/settings.json",
        ".config/Code/User/History/a/b", ".cargo/credentials.toml", ".cargo/bin/rg",
        ".cargo/config.toml", ".npmrc", ".gradle/gradle.properties", ".gradle/init.d/a.gradle",
        ".m2/settings.xml", ".m2/repository/org/mine/1.0/mine-1.0.jar", ".ssh/id_ed25519",
        ".gnupg/pubring.kbx", ".var/app/org.x.Y/data/save", ".var/app/org.x.Y/config/settings",
        ".local/share/flatpak/app/org.x.Y/current", ".local/share/containers/storage/overlay/1/f",
        ".ccache/ccache.conf", "go/bin/gopls", "go/src/mine/main.go",
        ".swiftpm/security/fingerprints/a",
        ".conda/environments.txt", ".cache/huggingface/token", ".cache/rclone/vfs/remote/new.doc",
        ".cache/JetBrains/Idea2026.1/LocalHistory/changes.storageData", ".cache/pre-commit/db.db",
        ".rustup/toolchains/stable/bin/rustc", ".gem/ruby/3.1.0/gems/rake/rake.rb",
    ])
    func whatIsStateIsInNoPurgeablePlace(path: String) throws {
        let home = try TemporaryDirectory(on: .memory)
        try home.tree.file(TreePath(stringLiteral: path), size: .kilobytes(1))
        for platform in CataloguePlace.Platform.allCases {
            let here = CatalogueEnvironment(variables: [:], home: home.path, platform: platform)
            let around = Catalogue.standard.caches(in: here).filter {
                home.path.appending(path).starts(with: $0.root)
            }
            let nearest = around.max { $0.root.components.count < $1.root.components.count }
            #expect(nearest?.entry.isPurgeable != true, "\(nearest?.entry.id ?? "")")
        }
    }

    // MARK: - The form

    private static let entry = """
        [tool]
        name = Tool
        what = What it keeps
        path = ~/.tool/cache
        cost = It is made again
        source = https://example.com

        """

    @Test func whatIsMissingHasItsStandard() throws {
        let entry = try #require(try Catalogue(parsing: Self.entry, origin: nil).entry("tool"))
        #expect(entry.purgeClass == .cache)
        #expect(entry.unit == .file)
        #expect(entry.scope == .user)
        #expect(entry.cleaning == .files)
        #expect(entry.command.isEmpty)
        #expect(entry.importance == 50)
        #expect(entry.places.map(\.text) == ["~/.tool/cache"])
    }

    @Test func aCommandIsPreferredUnlessItSaysOtherwise() throws {
        let either = try Catalogue(parsing: Self.entry + "clean = tool clean --all\n", origin: nil)
        #expect(either.entries[0].cleaning == .either)
        #expect(either.entries[0].command == ["tool", "clean", "--all"])
        let files = try Catalogue(
            parsing: Self.entry + "clean = tool clean\nby = files\n", origin: nil)
        #expect(files.entries[0].cleaning == .files)
        let command = try Catalogue(
            parsing: Self.entry + "clean = tool clean\nby = command\n", origin: nil)
        #expect(!command.entries[0].isPurgeable)
    }

    @Test(arguments: [
        ("name = Tool\n", "Line 1", "before the first"),
        ("[Tool]\n", "Line 1", "no id"),
        ("[tool\n", "Line 1", "no end"),
        ("[tool]\nname\n", "Line 2", "key = value"),
        ("[tool]\nname =\n", "Line 2", "no value"),
        ("[tool]\ncolour = red\n", "Line 2", "no key “colour”"),
        ("[tool]\nname = a\nname = b\n", "Line 3", "second time"),
        ("[tool]\npath = relative/path\n", "Line 2", "no place"),
        ("[tool]\npath = ~\n", "Line 2", "no place"),
        ("[tool]\npath = /\n", "Line 2", "no place"),
        ("[tool]\npath = /var\n", "Line 2", "no place"),
        ("[tool]\npath = ~/../other\n", "Line 2", "no place"),
        ("[tool]\npath = ~/\\.\\./other\n", "Line 2", "no place"),
        ("[tool]\npath = ~/.\\./other\n", "Line 2", "no place"),
        ("[tool]\npath = $XDG_CACHE_HOME\n", "Line 2", "no place"),
        ("[tool]\npath.windows = ~/a\n", "Line 2", "path.windows"),
        ("[tool]\nname = a\nwhat = b\ncost = c\nsource = d\n", "Line 1", "no path"),
        ("[tool]\nname = a\npath = ~/x\n", "Line 1", "no “what”"),
        (entry + "class = precious\n", "Line 7", "“precious”"),
        (entry + "importance = 101\n", "Line 7", "“101”"),
        (entry + "by = command\n", "Line 1", "names none"),
    ])
    func whatCannotBeReadIsNamedWithItsLine(text: String, line: String, what: String) {
        let error = #expect(throws: HeadroomError.self) {
            try Catalogue(parsing: text, origin: "/etc/headroom/catalogue.d/a.catalogue")
        }
        #expect(error?.code == .invalid)
        #expect(
            error?.message.hasPrefix("\(line) of /etc/headroom/catalogue.d/a.catalogue") == true)
        #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
    }

    @Test func twoEntriesOfOneFileMayNotHaveOneID() {
        #expect(throws: HeadroomError.self) {
            try Catalogue(parsing: Self.entry + Self.entry, origin: nil)
        }
    }

    // MARK: - Places

    @Test func findsWhatIsThereByVariablesAndPatterns() throws {
        let home = try TemporaryDirectory(on: .memory)
        for path in [
            "home/.cache/pip/http-v2/a/b", "elsewhere/pip/wheels/1a/2b/3c/x.whl",
            "elsewhere/pip/mine/notes",
            "home/.cache/mozilla/firefox/one.default/cache2/entries/A",
            "home/.cache/mozilla/firefox/two.work/cache2/entries/B",
            "home/.cargo/registry/cache/index.crates.io-1/a.crate",
        ] { try home.tree.file(TreePath(stringLiteral: path), size: .kilobytes(1)) }
        try home.tree.symbolicLink("home/.cache/mozilla/firefox/link", to: "one.default")
        let here = CatalogueEnvironment(
            variables: [
                "PIP_CACHE_DIR": home.path.appending("elsewhere/pip").string,
                "CARGO_HOME": "relative",
            ], home: home.path.appending("home"), platform: .linux)
        let found = Catalogue.standard.caches(in: here)
        let base = home.path.string
        #expect(
            found.filter { $0.entry.scope == .user }.map(\.root.string).sorted() == [
                "\(base)/elsewhere/pip/wheels",
                "\(base)/home/.cache/mozilla/firefox/one.default",
                "\(base)/home/.cache/mozilla/firefox/two.work",
                "\(base)/home/.cache/pip",
                "\(base)/home/.cargo/registry/cache/index.crates.io-1",
            ])
    }
}

@Suite("R12: the catalogue as rules")
struct CatalogueRuleTests {
    @Test func cachesOutsideOfTheCacheDirectoryAreRules() {
        let patterns = Dictionary(grouping: Catalogue.standard.ruleBook.rules, by: \.topic)
            .mapValues { $0.map(\.pattern) }
        #expect(patterns["npm"] == [".npm/_cacache/"])
        #expect(patterns["cargo"] == [".cargo/registry/cache/"])
        #expect(patterns["vscode"]?.first == ".config/Code/Cache/")
        #expect(patterns["flatpak-apps"] == [".var/app/*/cache/"])
        // Among the caches already; of the machine; not to be had again.
        for id in ["apt", "podman", "maven", "jetbrains-history"] {
            #expect(patterns[id] == nil, "\(id)")
        }
    }
}
