//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(
    "R31, R37: the screen of clean in a terminal", .blocks,
    .enabled(if: Privilege.has(program: "tmux"), "needs tmux"))
struct CleanScreenTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.cache("app/one", size: .kilobytes(300))
        try home.cache("other/two", size: .kilobytes(200))
        try home.tree.file("home/Videos/film.mkv", size: .kilobytes(900))
    }

    /// All that a file is, and what it is called, byte for byte.
    private func manifest() throws -> String {
        let result = try ChildProcess.run(
            "python3",
            [
                "-c",
                """
                import hashlib, os, sys
                for d, _, names in sorted(os.walk(os.fsencode(sys.argv[1]))):
                    if b"/." in d: continue
                    for n in sorted(names):
                        p = os.path.join(d, n)
                        s = os.lstat(p)
                        a = [(k, os.getxattr(p, k)) for k in sorted(os.listxattr(p))]
                        h = hashlib.sha256(open(p, "rb").read()).hexdigest()
                        print(p, oct(s.st_mode), s.st_uid, s.st_gid, s.st_mtime_ns, s.st_size, s.st_ino,
                            s.st_nlink, a, h)
                """, home.path.string,
            ])
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.output
    }

    /// Films that are hard to name and have more than content.
    private func makeFilms() throws {
        let script = """
            import os, sys
            d = os.fsencode(sys.argv[1])
            names = [b"new\\nline.mp4", b"\\xff\\xfe.mp4", "日本 👩‍👧.mp4".encode(), b"-rf.mp4",
                "שלום.mp4".encode(), b"x" * 250, b" .mp4", b"esc\\x1b[2J.mp4"]
            for i, n in enumerate(names):
                p = os.path.join(d, n)
                with open(p, "wb") as f: f.write(os.urandom(200_000))
                os.chmod(p, 0o400 + i)
                os.utime(p, ns=(10**18 + i, 10**18 + 123456789 * i))
                if i % 2: os.setxattr(p, b"user.rating", b"\\0\\xff" * i)
            """
        let result = try ChildProcess.run(
            "python3", ["-c", script, home.path.appending("Videos").string])
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    private func openScreen(_ terminal: String = "xterm-256color") throws -> TerminalWindow {
        let window = try TerminalWindow(in: home, terminal: terminal)
        try window.start("clean --min-idle 0s")
        try window.wait(for: "Clean  ", without: "looking")
        return window
    }

    /// The keys work, undo brings back byte for byte, and the terminal is given back whatever ends it;
    /// on terminals of sixteen colours too.
    @Test(.tags(.r31d), arguments: [("q", "linux"), ("C-c", "screen"), ("TERM", "xterm-16color")])
    func cleansUndoesAndGivesTheTerminalBack(ending: String, terminal: String) throws {
        try makeFilms()
        let before = try manifest()
        let window = try openScreen(terminal)
        // Videos and what else they are taken for, by their names.
        try window.press("g", "Down", "Down", "Down", "a", "End", "Up", "a", "c")
        #expect(try window.wait(for: "esc: no").contains("9 marked items"))
        try window.press("Enter")
        try window.wait(for: "any other key goes back")
        #expect(try manifest().isEmpty)
        try window.press("u")
        try window.wait(for: "Brought back 9 items.")
        #expect(try manifest() == before)
        let text = try window.screen(styled: true)
        for code in text.components(separatedBy: "\u{1B}[").dropFirst() where code.contains("m") {
            for number in code.prefix(while: { $0 != "m" }).split(separator: ";") {
                #expect(Int(number).map { $0 < 50 && $0 != 38 && $0 != 48 } == true, "\(code)")
            }
        }
        if ending == "TERM" { try window.signal(ending) } else { try window.press(ending) }
        #expect(try window.end() == (ending == "TERM" ? 130 : 0))
    }

    @Test func stopsAndThenQuits() throws {
        let window = try openScreen()
        try window.press("g", "a", "c")
        try window.wait(for: "esc: no")
        // Together: the second key finds it cleaning.
        try window.press("Enter", "C-c")
        try window.wait(for: "Stopped.")
        try window.press("C-c")
        // As of a purge that was stopped.
        #expect(try window.end() == 130)
    }

    @Test func nothingIsAgreedToOnATerminalThatIsTooSmall() throws {
        let window = try openScreen()
        try window.press("g", "a", "c")
        try window.wait(for: "esc: no")
        try window.resize(columns: 29, rows: 7)
        try window.wait(for: "Too small")
        try window.press("Enter", "y")
        try window.resize(columns: 200, rows: 60)
        try window.wait(for: "esc: no")
        #expect(home.exists(".cache/app/one"))
        try window.press("Escape")
        #expect(try window.wait(for: "Other files").contains("q quit"))
        try window.press("q")
        #expect(try window.end() == 0)
    }

    @Test func asksBeforeAToolsOwnCommandIsRun() throws {
        let place = home.path.appending(".tool/cache")
        try home.tree.file("home/.tool/cache/a", size: .kilobytes(50))
        try home.tree.file(
            "home/.config/headroom/catalogue.d/tool.catalogue",
            text: "[tool]\nname = Tool\nwhat = Things\npath = ~/.tool/cache\nby = command\n"
                + "clean = rm -r \(place.appending("a"))\ncost = They are made again\n"
                + "source = https://example.com\n")
        let window = try openScreen()
        // The smallest.
        try window.press("g", "Right", "End", "Space")
        let question = try window.wait(for: "Run it?")
        #expect(question.contains("bin/rm -r"))
        try window.press("Escape")
        try window.wait(for: "Nothing marked", without: "Run it?")
        #expect(home.exists(".tool/cache/a"))
        try window.press("Space")
        try window.wait(for: "Run it?")
        try window.press("Enter")
        #expect(try window.wait(for: "any key goes back").contains("Tool: done"))
        #expect(!home.exists(".tool/cache/a"))
        try window.press("q")
        #expect(try window.end() == 0)
    }

    /// The answer that a shell gets is that of `catalogue clean`.
    @Test func aToolsOwnCommandCanBeStopped() throws {
        try home.tree.file("home/.tool/cache/a", size: .kilobytes(50))
        try home.tree.file(
            "home/.config/headroom/catalogue.d/tool.catalogue",
            text: "[tool]\nname = Tool\nwhat = Things\npath = ~/.tool/cache\nby = command\n"
                + "clean = sleep 4711\ncost = They are made again\nsource = https://example.com\n")
        let window = try openScreen()
        try window.press("g", "Right", "End", "Space")
        try window.wait(for: "Run it?")
        try window.press("Enter")
        try window.wait(for: "esc stops")
        try window.press("C-c")
        #expect(try window.wait(for: "any key goes back").contains("ended before it was done"))
        try window.press("q")
        #expect(try window.end() == 130)
    }

    @Test func aTerminalWithoutACursorGetsTheList() throws {
        let window = try TerminalWindow(in: home, terminal: "dumb")
        try window.start("clean --min-idle 0s")
        #expect(try window.end() == 0)
        #expect(try window.screen().contains("Videos  --section video"))
        #expect(home.exists(".cache/app/one"))
    }

    @Test func withoutColoursTheCursorIsSeen() throws {
        let window = try TerminalWindow(in: home, variables: ["NO_COLOR": "1"])
        try window.start("clean --min-idle 0s")
        try window.wait(for: "Clean  ", without: "looking")
        let codes = Set(
            try window.screen(styled: true).components(separatedBy: "\u{1B}[").dropFirst()
                .map { $0.prefix { $0 != "m" } })
        #expect(codes.isSubset(of: ["7", "0", "27", "39", "49"]), "\(codes)")
        #expect(codes.contains("7"))
        try window.press("q")
        #expect(try window.end() == 0)
    }
}
