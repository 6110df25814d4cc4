//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// R11: what the real programs make of exclude lists. What is left out is absent from the restored
/// copy, everything else is there, byte for byte.
@Suite("R11: exclude lists, with the programs that read them", .blocks)
struct BackupProgramTests {
    @Test(.tags(.r11c), .enabled(if: Privilege.has(program: "restic"), "needs restic"))
    func restic() throws {
        let tree = try BackedUpTree(newlines: true)
        let list = try tree.excludes(for: "restic")
        let repository = ["--no-cache", "--quiet", "--repo", try tree.place("repository").string]
        try tree.run("restic", repository + ["init"])
        try tree.run(
            "restic", repository + ["backup", "--exclude-file", list.string, tree.home.path.string])
        try tree.run(
            "restic",
            repository + ["restore", "latest", "--target", try tree.place("restored").string])
        try tree.check(below: tree.home.path)
    }

    @Test(.tags(.r11c), .enabled(if: Privilege.has(program: "borg"), "needs borg"))
    func borg() throws {
        let tree = try BackedUpTree(newlines: true)
        let list = try tree.excludes(for: "borg")
        let repository = try tree.place("repository").string
        try tree.run("borg", ["init", "--encryption", "none", repository])
        try tree.run(
            "borg",
            ["create", "--exclude-from", list.string, repository + "::a", tree.home.path.string])
        try tree.run("borg", ["extract", repository + "::a"], in: try tree.place("restored"))
        try tree.check(below: tree.home.path)
    }

    @Test(
        .tags(.r11c), .enabled(if: Privilege.has(program: "tar"), "needs GNU tar"),
        arguments: ["C", "C.UTF-8"])
    func tar(locale: String) throws {
        let tree = try BackedUpTree(newlines: false)
        let list = try tree.excludes(for: "tar")
        let archive = try tree.place("repository").appending("home.tar").string
        try tree.run(
            "tar",
            [
                "--create", "--anchored", "--exclude-from", list.string, "--file", archive,
                tree.home.path.string,
            ], locale: locale)
        try tree.run(
            "tar",
            ["--extract", "--file", archive, "--directory", try tree.place("restored").string],
            locale: locale)
        try tree.check(below: tree.home.path)
    }

    @Test(
        .tags(.r11c), .enabled(if: Privilege.has(program: "rsync"), "needs rsync"),
        arguments: ["C", "C.UTF-8"])
    func rsync(locale: String) throws {
        let tree = try BackedUpTree(newlines: true)
        let list = try tree.excludes(for: "rsync")
        try tree.run(
            "rsync",
            [
                "-a", "--exclude-from", list.string, tree.home.path.string + "/",
                try tree.place("restored").string,
            ], locale: locale)
        try tree.check(below: "/")
    }

    @Test(.enabled(if: Privilege.has(program: "rsync"), "needs rsync"))
    func rsyncOfSeveralDirectories() throws {
        let tree = try BackedUpTree(newlines: true)
        let places = ["Documents", "Podcasts", "build", ".cache"]
            .map { tree.home.path.appending($0).string }
        let result = try tree.home.run(["audit"] + places + ["--excludes", "rsync"])
        #expect(result.exitCode == 0, "\(result.errors)")
        try tree.home.tree.file("list", contents: result.standardOutput)
        try tree.run(
            "rsync",
            ["-aR", "--exclude-from", tree.home.directory.path.appending("list").string]
                + places + [try tree.place("restored").string])
        try tree.check(below: tree.home.path) { name in
            ["Documents/", "Podcasts/", "build/"].contains { name.starts(with: Array($0.utf8)) }
        }
    }

    @Test func whatTarCannotBeToldIsReported() throws {
        let tree = try BackedUpTree(newlines: true)
        let result = try tree.home.run("audit", tree.home.path.string, "--excludes", "tar")
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("new\\x0Aline"))
        #expect(!result.output.contains("new"))
        let json = try tree.home.run(
            "audit", tree.home.path.string, "--excludes", "tar", "--json")
        #expect(json.exitCode == 4)
        #expect(json.json("schema") == "\"headroom.excludes/1\"")
        #expect(json.output.contains("\"unexpressed\":[{"))
    }
}

extension BackedUpTree {
    /// Compares what was restored with what has to be there.
    func check(
        below path: FilePath, where isMeant: ([UInt8]) -> Bool = { _ in true }
    ) throws {
        let restored = TreePath("restored" + (path == "/" ? "" : path.string))
        let found = try files(below: restored)
        let expected = try expected().filter { isMeant($0.key) }
        #expect(difference(expected, found) == [])
        #expect(expected.count > 50)
    }
}
