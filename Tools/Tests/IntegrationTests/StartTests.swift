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

/// The program as a careless script starts it: with names that are no text, closed streams and tight limits.
@Suite(.blocks)
struct StartTests {
    private static let bad = TreePath("data") / TreePath(name: [0x64, 0xFF])
    /// What the name above is taken for as text.
    private static let other: TreePath = "data/d\u{FFFD}"

    private let home: Home

    init() throws {
        home = try Home()
        try home.tree.file(Self.bad / "f", size: .kilobytes(40))
        try home.tree.file(Self.other / "f", size: .kilobytes(40))
    }

    /// Runs a line of shell; `$0` is the program, and `$bad` the directory whose name is no text.
    private func shell(_ line: String) throws -> ChildResult {
        try ChildProcess.run(
            "sh",
            [
                "-c", #"bad=$(printf '%s/d\377' "$1"); "# + line, Program.path,
                home.directory.path.appending("data").string,
            ], environment: home.environment)
    }

    /// Everything, what Headroom keeps for itself included.
    private func listing() throws -> String {
        try ChildProcess.run(
            "find", [home.directory.path.string, "-printf", "%P %i %s %T@ %C@\\n"]
        ).output
    }

    // MARK: - Names that are no text

    @Test(
        .tags(.s2d),
        arguments: [
            #"purge "$bad" --as cache --all --yes"#, #"purge --all --yes --plan "$bad/f""#,
            #"trash put "$bad/f" --permanently --yes"#, #"dir add "$bad" --limit 1kB"#,
            #"dir reset "$bad" --yes"#, #"mark --pin "$bad""#,
            #"scan "$bad" --export ncdu "$bad/f""#,
            #"lease "$bad" -- true"#, #"lease /tmp -- rm -r "$bad""#,
            #"config show --directory="$bad""#,
        ])
    func anArgumentThatIsNoTextIsRefused(words: String) throws {
        let before = try listing()
        let result = try shell(#"exec "$0" "# + words)
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("data/d\\xFF"), "\(result.errors)")
        #expect(result.errors.contains("UTF-8"))
        #expect(try listing() == before)
    }

    @Test(
        .tags(.s2d),
        arguments: [
            "HOME", "TMPDIR", "PATH", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
            "HEADROOM_STATE_DIRECTORY", "CARGO_HOME",
        ])
    func aVariableThatIsNoTextIsRefused(name: String) throws {
        let before = try listing()
        let result = try shell(#"export \#(name)="$bad"; exec "$0" purge --all --yes"#)
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name), "\(result.errors)")
        #expect(result.errors.contains("data/d\\xFF"))
        #expect(try listing() == before)
    }

    @Test(.tags(.s2d)) func aVariableOfAFileOfTheCatalogueIsRefused() throws {
        try home.tree.file(
            "home/.config/headroom/catalogue.d/own.catalogue",
            text: "[own]\nname = Own\nwhat = Things\npath = $OWN_CACHE/own\nshape = own\n"
                + "cost = They are made again\nsource = https://example.com\n")
        let result = try shell(#"export OWN_CACHE="$bad"; exec "$0" purge --all --yes"#)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("OWN_CACHE"), "\(result.errors)")
        #expect(!home.tree.exists("state"))
    }

    /// Within the directory it needs no name, though the shell hands one over.
    @Test(.tags(.s2d)) func fromWithinADirectoryNeedsNoName() throws {
        let result = try shell(
            #"cd "$bad"; export PWD NOTE="$bad"; "#
                + #"exec "$0" purge . --as cache --all --min-idle 0s --yes"#)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!home.tree.exists(Self.bad / "f"))
        #expect(home.tree.exists(Self.other / "f"))
    }

    // MARK: - Closed streams

    @Test(
        .tags(.r22b),
        arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
    func nothingIsPrintedIntoTheLedger(closing: String) throws {
        try home.cache("first")
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        for name in ["second", "third"] {
            try home.cache(name)
            let result = try shell(#"exec "$0" purge --all --min-idle 0s --yes "# + closing)
            #expect(result.exitCode == 0, "\(result.errors)")
            #expect(!home.exists(".cache/\(name)"))
        }
        let log = try home.run("log", "--json")
        #expect(log.exitCode == 0)
        // The home's TMPDIR is no known temporary directory.
        #expect(log.errors.hasPrefix("headroom: TMPDIR is "), "\(log.errors)")
        #expect(log.output.count { $0 == "\n" } == 3, "\(log.output)")
    }

    // MARK: - Limits

    @Test(.tags(.s14c)) func aLimitOfFileSizesDoesNotEndAPurge() throws {
        for index in 0..<20 { try home.cache("\(index)") }
        // From here on there is a journal.
        let pinned = home.path.appending(".cache/0").string
        #expect(try home.run("mark", "--pin", pinned).exitCode == 0)
        let result = try shell(#"ulimit -f 1; exec "$0" purge --all --min-idle 0s --yes"#)
        #expect(result.exitCode == 0, "\(result)")
        #expect(try home.tree.names(in: "home/.cache").map(\.text) == ["0"])
        #expect(result.output.contains("journal"), "\(result.output)")
        #expect(result.output.contains("The receipt is not kept."), "\(result.output)")
    }

    @Test func aSmallStackIsEnough() throws {
        let result = try shell(#"ulimit -s 64; exec "$0" log"#)
        #expect(result.exitCode == 0, "\(result)")
    }
}
