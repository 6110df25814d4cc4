//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// R11: what Headroom puts on files and directories, as backup programs understand it by themselves,
/// without a list.
@Suite("R11: what backup programs see without a list", .blocks)
struct BackupSwitchTests {
    private let home: Home

    init() throws {
        home = try Home(on: .disk)
        try home.tree.file("home/Podcasts/offline/one", text: "one")
        try home.tree.file("home/Podcasts/notes", text: "notes")
        try home.tree.file("home/Documents/draft", text: "draft")
        try home.tree.file("home/Documents/letter", text: "letter")
        for name in ["Podcasts/offline", "Documents/draft"] {
            let result = try home.run("mark", home.path.appending(name).string, "--no-backup")
            #expect(result.exitCode == 0, "\(result.errors)")
        }
    }

    /// Whether each of the four files was restored.
    private func check(directory: Bool, file: Bool) {
        let restored = "restored" + home.path.string + "/"
        func has(_ name: String) -> Bool { home.tree.exists(TreePath(restored + name)) }
        #expect(has("Podcasts/notes"))
        #expect(has("Documents/letter"))
        #expect(has("Podcasts/offline/one") == directory)
        #expect(has("Documents/draft") == file)
    }

    private func run(_ program: String, _ arguments: [String], in directory: FilePath? = nil) throws
    {
        let result = try ChildProcess.run(
            program, arguments,
            environment: [
                "RESTIC_PASSWORD": "x", "HOME": home.path.string,
                "BORG_BASE_DIR": home.directory.path.appending("borg").string,
                "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes",
            ], directory: directory)
        try #require(result.succeeded, "\(program): \(result.errors)")
    }

    private func place(_ name: String) throws -> FilePath {
        try home.tree.directory(TreePath(name))
        return home.directory.path.appending(name)
    }

    @Test(.enabled(if: Privilege.has(program: "restic"), "needs restic"))
    func resticExcludesCaches() throws {
        let repository = ["--no-cache", "--quiet", "--repo", try place("repository").string]
        try run("restic", repository + ["init"])
        try run("restic", repository + ["backup", "--exclude-caches", home.path.string])
        try run(
            "restic", repository + ["restore", "latest", "--target", place("restored").string])
        check(directory: false, file: true)
    }

    @Test(.tags(.r11b), .enabled(if: Privilege.has(program: "borg"), "needs borg"))
    func borgExcludesCachesAndNoDump() throws {
        let repository = try place("repository").string
        try run("borg", ["init", "--encryption", "none", repository])
        try run(
            "borg",
            [
                "create", "--exclude-caches", "--exclude-nodump", repository + "::a",
                home.path.string,
            ]
        )
        try run("borg", ["extract", repository + "::a"], in: place("restored"))
        check(directory: false, file: false)
    }

    @Test(
        .enabled(if: Privilege.has(program: "tar"), "needs GNU tar"),
        arguments: ["--exclude-caches", "--exclude-caches-under", "--exclude-caches-all"])
    func tarExcludesCaches(option: String) throws {
        let archive = try place("repository").appending("home.tar").string
        try run("tar", ["--create", option, "--file", archive, home.path.string])
        try run("tar", ["--extract", "--file", archive, "--directory", place("restored").string])
        check(directory: false, file: true)
    }

    @Test(.tags(.r11b)) func takenAwayAgainAllIsBackedUp() throws {
        for name in ["Podcasts/offline", "Documents/draft"] {
            let result = try home.run("mark", home.path.appending(name).string, "--backup")
            #expect(result.exitCode == 0, "\(result.errors)")
        }
        let archive = try place("repository").appending("home.tar").string
        try run("tar", ["--create", "--exclude-caches-all", "--file", archive, home.path.string])
        try run("tar", ["--extract", "--file", archive, "--directory", place("restored").string])
        check(directory: true, file: true)
    }
}
