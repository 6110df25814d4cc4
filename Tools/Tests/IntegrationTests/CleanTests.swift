//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R31, R37: the command clean")
struct CleanTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.cache("app/one", size: .kilobytes(300))
        try home.cache("other/two", size: .kilobytes(200))
        try home.tree.file("home/Videos/film.mkv", size: .kilobytes(900))
    }

    private var film: String { home.path.appending("Videos/film.mkv").string }

    @Test func listsSections() throws {
        let before = try home.listing()
        let list = try home.run("clean", "--list")
        #expect(list.exitCode == 0, "\(list.errors)")
        #expect(list.output.contains("System caches  --section caches"))
        #expect(list.output.contains("film.mkv"))
        let json = try home.run("clean", "--list", "--json")
        #expect(json.json("schema") == "\"headroom.cleanables/1\"")
        #expect(json.values("id").contains("\"video\""))
        #expect(try home.listing() == before)
    }

    @Test func previewChangesNothing() throws {
        let before = try home.listing()
        let preview = try home.run("clean", "--section", "caches", "--preview", "--json")
        #expect(preview.json("purgedItems") == "2")
        #expect(try home.listing() == before)
    }

    @Test func cleansSectionsAndItems() throws {
        let refused = try home.run("clean", "--section", "caches")
        #expect(refused.exitCode == 1)
        #expect(home.exists(".cache/app/one"))
        let one = try home.run("clean", home.path.appending(".cache/app").string, "--yes")
        #expect(one.exitCode == 0, "\(one.errors)")
        #expect(!home.exists(".cache/app/one") && home.exists(".cache/other/two"))
        let all = try home.run(
            "clean", "--section", "caches", "--section", "video", "--yes", "--json")
        #expect(all.exitCode == 0, "\(all.errors)")
        #expect(!home.exists(".cache/other/two") && !home.exists("Videos/film.mkv"))
        let id = try #require(all.values("id").last).filter { $0 != "\"" }
        #expect(try home.run("trash", "restore", "--receipt", id).exitCode == 0)
        #expect(home.exists("Videos/film.mkv"))
    }

    @Test func deepLeavesAPersonsFiles() throws {
        #expect(try home.run("clean", "--deep", "--yes").exitCode == 0)
        #expect(!home.exists(".cache/app/one"))
        #expect(home.exists("Videos/film.mkv"))
    }

    @Test func wrongArguments() throws {
        for arguments in [
            ["--list", "--yes"], ["--section", "nothing"], ["--deep", "--section", "caches"],
            ["--yes"], ["--json"], ["--section", "modules"],
        ] {
            #expect(try home.run(["clean"] + arguments).exitCode == 2, "\(arguments)")
        }
        #expect(try home.run("clean").exitCode == 1, "there is no terminal")
        #expect(try home.run("clean", "nothing", "--yes").exitCode == 1)
    }

    /// In a real terminal, of tmux: the keys work, and the terminal is given back whatever ends it.
    @Test(
        .enabled(if: Privilege.has(program: "tmux"), "needs tmux"),
        arguments: ["q", "C-c", "TERM"])
    func theScreenCleansUndoesAndGivesTheTerminalBack(ending: String) throws {
        let socket = home.directory.path.appending("tmux").string
        func tmux(_ arguments: String...) throws -> String {
            try ChildProcess.run(
                "tmux", ["-S", socket, "-f", "/dev/null"] + arguments,
                environment: home.environment.merging(["TERM": "xterm-256color"]) { $1 }
            ).output
        }
        func wait(for text: String, without other: String? = nil) throws -> String {
            for _ in 0..<200 {
                let screen = try tmux("capture-pane", "-p")
                let isThere = screen.contains(text)
                if isThere, other.map({ !screen.contains($0) }) ?? true { return screen }
                // tmux has no way to wait for a text.
                _ = try ChildProcess.run("sleep", ["0.05"])
            }
            Issue.record("“\(text)” is not on the screen: \(try tmux("capture-pane", "-p"))")
            return ""
        }
        defer { _ = try? tmux("kill-server") }
        _ = try tmux("new-session", "-d", "-x", "80", "-y", "24", "env", "PS1=ready ", "sh")
        _ = try wait(for: "ready")
        _ = try tmux("send-keys", "\(Program.path) clean; stty -a | grep -c ' icanon'", "Enter")
        _ = try wait(for: "Clean  ", without: "looking")
        _ = try tmux("send-keys", "Down", "Down", "Down", "Right", "Space", "c")
        #expect(try wait(for: "esc: no").contains("1 item"))
        _ = try tmux("send-keys", "Enter")
        _ = try wait(for: "any other key goes back")
        #expect(!home.exists("Videos/film.mkv"))
        _ = try tmux("send-keys", "u")
        _ = try wait(for: "Brought back 1 item")
        #expect(home.exists("Videos/film.mkv"))
        if ending == "TERM" {
            _ = try ChildProcess.run(
                "sh",
                ["-c", "kill -TERM $(pgrep -P $(tmux -S '\(socket)' display -p '#{pane_pid}'))"])
        } else {
            _ = try tmux("send-keys", ending)
        }
        // What stty says of the terminal: that it reads lines again.
        _ = try wait(for: "\n1\nready")
    }
}
