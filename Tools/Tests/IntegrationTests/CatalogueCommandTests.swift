//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R32: the catalogue on the command line", .blocks)
struct CatalogueCommandTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.cache("pip/wheels/a.whl", size: .kilobytes(400))
        try home.cache("pip/http-v2/b", size: .kilobytes(200))
        try home.cache("uv/archive-v0/a", size: .kilobytes(100))
        try home.cache("other/a", size: .kilobytes(100))
        try home.tree.file("home/.cargo/registry/cache/index/a.crate", size: .kilobytes(300))
    }

    @Test func listsWhatIsHereByItsSize() throws {
        let result = try home.run("catalogue")
        #expect(result.exitCode == 0)
        let lines = result.output.split(separator: "\n").dropFirst().map(String.init)
        #expect(lines.map { $0.prefix { $0 != " " } } == ["pip", "Cargo", "uv"])
        #expect(lines[2].contains("by its tool"))
        let json = try home.run("catalogue", "--json")
        #expect(json.values("id") == ["\"pip\"", "\"cargo\"", "\"uv\""])
        let all = try home.run("catalogue", "--all", "--json")
        #expect(all.values("id").count > 90)
    }

    @Test func tellsAllOfOneEntry() throws {
        let result = try home.run("catalogue", "uv")
        #expect(result.output.contains("uv cache prune; nothing else empties it"))
        #expect(result.output.contains("~/.cache/uv"))
        let missing = try home.run("catalogue", "nonsense")
        #expect(missing.exitCode == 1)
        #expect(missing.errors.contains("headroom catalogue --all"))
    }

    @Test func statusNamesTheCaches() throws {
        let result = try home.run("status", home.path.string)
        #expect(result.output.contains("cache  ~/.cache, Cargo"))
        #expect(
            result.output.contains("pip 602 kB · Cargo 303 kB · other 102 kB"), "\(result.output)")
        let json = try home.run("status", "--json", home.path.string)
        #expect(json.output.contains("\"caches\":[{\"id\":\"pip\",\"name\":\"pip\""))
    }

    @Test func explainSaysWhichCacheItIs() throws {
        let pip = try home.run("explain", home.path.appending(".cache/pip/wheels/a.whl").string)
        #expect(pip.output.contains("Cache     pip: packages"))
        let uv = try home.run("explain", home.path.appending(".cache/uv/archive-v0/a").string)
        #expect(uv.output.contains("never: only its own tool empties it: uv cache prune"))
    }

    @Test(.tags(.r32e, .r44h)) func purgeTakesThemAndLeavesWhatOnlyTheirToolMayEmpty() throws {
        let result = try home.run("purge", "--all", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!home.exists(".cache/pip/wheels/a.whl"))
        #expect(!home.exists(".cargo/registry/cache/index/a.crate"))
        #expect(home.exists(".cache/uv/archive-v0/a"))
    }

    @Test func aFileOfTheUsersAddsToIt() throws {
        try home.tree.file(
            "home/.config/headroom/catalogue.d/mine.catalogue",
            text: "[mine]\nname = Mine\nwhat = Things\npath = ~/.mine/cache\n"
                + "cost = They are made again\nsource = https://example.com\n")
        try home.tree.file("home/.mine/cache/a", size: .kilobytes(50))
        #expect(try home.run("catalogue", "mine").output.contains("~/.mine/cache"))
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        #expect(!home.exists(".mine/cache/a"))
        try home.tree.file("home/.config/headroom/catalogue.d/bad.catalogue", text: "nonsense\n")
        let result = try home.run("catalogue")
        #expect(result.exitCode == 0)
        #expect(result.errors.contains("bad.catalogue"))
        #expect(result.errors.contains("Line 1"))
    }

    /// Entries whose commands are `rm` and one that fails.
    private func addTools() throws {
        let place = home.path.appending(".tool/cache")
        try home.tree.file("home/.tool/cache/a", size: .kilobytes(50))
        func entry(_ id: String, _ command: String) -> String {
            "[\(id)]\nname = \(id)\nwhat = Things\npath = ~/.tool/cache\nby = command\n"
                + "clean = \(command)\ncost = They are made again\nsource = https://example.com\n"
        }
        try home.tree.file(
            "home/.config/headroom/catalogue.d/tool.catalogue",
            text: entry("tool", "rm -r \(place.appending("a"))"))
        try home.tree.file("home/.bad/a", size: .kilobytes(4))
        try home.tree.file(
            "home/.config/headroom/catalogue.d/bad.catalogue",
            text: entry("bad", "ls /nowhere-at-all").replacing("~/.tool/cache", with: "~/.bad"))
    }

    @Test(.tags(.r32e)) func aToolsOwnCommandIsShownAndAskedAbout() throws {
        try addTools()
        let preview = try home.run("catalogue", "clean", "tool", "--preview")
        #expect(preview.exitCode == 0)
        #expect(preview.output.contains("bin/rm -r \(home.path.string)/.tool/cache/a"))
        let nobody = try home.run("catalogue", "clean", "tool")
        #expect(nobody.exitCode == 1 && nobody.errors.contains("--yes"))
        #expect(home.exists(".tool/cache/a"))
        let clean = try home.run("clean", home.path.appending(".tool/cache").string, "--yes")
        #expect(clean.exitCode == 1 && clean.errors.contains("headroom catalogue clean tool"))
        let done = try home.run("catalogue", "clean", "tool", "--yes")
        #expect(done.exitCode == 0, "\(done.errors)")
        #expect(done.output.contains("tool: done, freed 53.2 kB"), "\(done.output)")
        #expect(!home.exists(".tool/cache/a"))
    }

    @Test func aCommandThatFailsIsToldAndOthersAreRun() throws {
        try addTools()
        let result = try home.run("catalogue", "clean", "bad", "tool", "--yes", "--json")
        #expect(result.exitCode == 4)
        #expect(result.values("exitCode") == ["2", "0"])
        #expect(result.output.contains("nowhere-at-all"))
        #expect(!home.exists(".tool/cache/a"))
        for wrong in [["nonsense"], ["go-build"], ["tool", "--yes", "--preview"], []] {
            #expect(try home.run(["catalogue", "clean"] + wrong).exitCode != 0, "\(wrong)")
        }
    }

    /// With a directory of the test's in place of one of the system's, in a name space of its own.
    @Test(
        .enabled(if: Privilege.canMount, "needs root to mount over /usr/local/sbin"),
        arguments: ["fine", "link", "writable", "another's", "directory", "another's link"])
    func asRootOnlyProgramsOfRootsAloneAreRun(what: String) throws {
        try home.tree.file("home/.tool/cache/a", size: .kilobytes(50))
        try home.tree.file(
            "home/.config/headroom/catalogue.d/tool.catalogue",
            text: "[tool]\nname = tool\nwhat = Things\npath = ~/.tool/cache\nby = command\n"
                + "clean = headroom-test-tool now\ncost = They are made again\n"
                + "source = https://example.com\n")
        let (bin, ran) = (home.directory.path.appending("bin"), home.path.appending("ran"))
        try home.tree.file("bin/real", text: "#!/bin/sh\necho $1 >\(ran)\n")
        try home.tree.directory("theirs")
        let script = """
            set -e
            cd \(home.directory.path)
            chmod 0755 bin bin/real
            ln -s /usr/local/sbin theirs/sbin
            case "\(what)" in
                fine) mv bin/real bin/headroom-test-tool ;;
                link) ln -s real bin/headroom-test-tool ;;
                writable) mv bin/real bin/headroom-test-tool; chmod 0775 bin/headroom-test-tool ;;
                "another's") mv bin/real bin/headroom-test-tool; chown 1234 bin/headroom-test-tool ;;
                directory) mv bin/real bin/headroom-test-tool; chmod 0777 bin ;;
                "another's link") ln -s "$PWD/theirs/sbin/real" bin/headroom-test-tool ;;
            esac
            chown -h 1234 theirs theirs/sbin
            mount --bind \(bin) /usr/local/sbin
            exec \(Program.path) catalogue clean tool --yes
            """
        let result = try ChildProcess.run(
            "unshare", ["-m", "sh", "-c", script], environment: home.environment)
        let isRun = what == "fine" || what == "link"
        #expect(home.exists("ran") == isRun, "\(result.output) \(result.errors)")
        #expect(result.exitCode == (isRun ? 0 : 1), "\(result.output) \(result.errors)")
        if !isRun {
            #expect(
                result.errors.contains("/usr/local/sbin/headroom-test-tool is not run for root"))
        }
    }
}
