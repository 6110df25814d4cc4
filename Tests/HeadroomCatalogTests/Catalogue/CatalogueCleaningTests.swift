//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R32: a tool's own clean command")
struct CatalogueCleaningTests {
    private let fixture: CatalogueFixture

    init() throws { fixture = try CatalogueFixture([".tool/cache/a", ".tool/cache/b"]) }

    private func entry(_ command: String...) throws -> CatalogueEntry {
        var entry = try #require(
            try Catalogue(
                parsing: """
                    [tool]
                    name = Tool
                    what = Things
                    path = ~/.tool/cache
                    cost = They are made again
                    source = https://example.com
                    """, origin: nil
            ).entry("tool"))
        entry.command = command
        return entry
    }

    private func clean(
        _ entry: CatalogueEntry, limit: Duration = .seconds(60)
    ) throws -> CatalogueCleaning {
        try fixture.workspace(catalogue: Catalogue([entry])).clean(
            entry, environment: ["PATH": "/usr/bin:/bin", "HOME": fixture.home.string], limit: limit
        )
    }

    @Test func isRunAndWhatItFreedIsMeasured() throws {
        let done = try clean(entry("rm", "-r", fixture.home.appending(".tool/cache").string))
        #expect(done.succeeded)
        #expect(!done.isTimedOut)
        #expect(done.freed ?? .zero >= .kilobytes(80))
        #expect(!fixture.exists(".tool/cache"))
    }

    /// No shell: signs are words, and the words of an entry are the command's.
    @Test func nothingIsInterpreted() throws {
        let done = try clean(
            entry("echo", "$HOME", ";", "rm", "-r", fixture.home.string, "&&", "*"))
        #expect(done.output == "$HOME ; rm -r \(fixture.home.string) && *\n")
        #expect(fixture.exists(".tool/cache/a"))
    }

    @Test func whatItSaysAndHowItEndsIsTold() throws {
        let failed = try clean(entry("ls", "/nowhere-at-all"))
        #expect(failed.exitCode == 2)
        #expect(failed.output.contains("nowhere-at-all"))
        #expect(failed.freed == .zero)
        let environment = try clean(entry("env"))
        #expect(environment.output == "HOME=\(fixture.home.string)\nPATH=/usr/bin:/bin\n")
        let place = try clean(entry("pwd"))
        #expect(place.output == "/\n")
    }

    @Test func oneThatTakesTooLongIsEndedWithWhatItHasStarted() throws {
        let started = ContinuousClock.now
        let marker = "4711.\(UInt32.random(in: 0...(.max)))"
        let done = try clean(
            entry("sh", "-c", "sleep \(marker) & sleep \(marker)"), limit: .milliseconds(300))
        #expect(done.isTimedOut)
        #expect(done.exitCode == nil)
        #expect(ContinuousClock.now - started < .seconds(30))
        let left = try ChildProcess.run("pgrep", ["-f", "^sleep \(marker)"])
        #expect(left.output.isEmpty)
    }

    @Test func canBeEndedEarly() throws {
        let entry = try entry("sleep", "4711")
        let done = try fixture.workspace(catalogue: Catalogue([entry])).clean(
            entry, environment: ["PATH": "/usr/bin:/bin", "HOME": fixture.home.string]
        ) { true }
        #expect(done.isCancelled && !done.isTimedOut && !done.succeeded)
    }

    @Test func whatWouldBeRunIsToldAndNotRun() throws {
        let entry = try entry("rm", "-r", fixture.home.string)
        let command = try fixture.workspace(catalogue: Catalogue([entry])).cleaningCommand(
            of: entry, environment: ["PATH": "/usr/bin:/bin", "HOME": fixture.home.string])
        #expect(["/usr/bin/rm", "/bin/rm"].contains(command.program.string))
        #expect(command.arguments == ["-r", fixture.home.string])
        #expect(fixture.exists(".tool/cache/a"))
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root"), arguments: ["owner", "mode", "none"])
    func rootRunsNothingInAHomeThatIsNotItsAlone(_ what: String) throws {
        let home = fixture.home.string
        switch what {
        case "owner": _ = try ChildProcess.run("chown", ["1234", home])
        case "mode": _ = try ChildProcess.run("chmod", ["0777", home])
        default: break
        }
        let entry = try entry("true")
        let error = #expect(throws: HeadroomError.self) {
            try fixture.workspace(catalogue: Catalogue([entry])).clean(
                entry, environment: what == "none" ? ["PATH": "/bin"] : ["HOME": home])
        }
        #expect(error?.code == .refused)
    }

    /// The PATH that is handed over may be anybody's.
    @Test(.enabled(if: Privilege.isRoot, "needs root"))
    func rootTakesProgramsOfTheSystemAlone() throws {
        let bin = fixture.home.appending("bin")
        _ = try ChildProcess.run("mkdir", [bin.string])
        _ = try ChildProcess.run("cp", ["/bin/true", bin.appending("own-tool").string])
        let entry = try entry("own-tool")
        let error = #expect(throws: HeadroomError.self) {
            try fixture.workspace(catalogue: Catalogue([entry])).clean(
                entry, environment: ["PATH": bin.string, "HOME": fixture.home.string])
        }
        #expect(error?.code == .notFound)
    }

    @Test func muchOutputIsKeptAtItsEnd() throws {
        let done = try clean(entry("seq", "1", "100000"))
        #expect(done.succeeded)
        #expect(done.output.utf8.count <= 65536)
        #expect(done.output.hasSuffix("\n100000\n"))
    }

    @Test func aProgramThatIsNotThereIsAnError() throws {
        #expect(throws: HeadroomError.self) { try clean(entry("no-such-program-here")) }
        #expect(throws: HeadroomError.self) { try clean(entry()) }
    }

    @Test(.enabled(if: RealToolFixture.has("ccache", "gcc"), "needs ccache and gcc"))
    func ccacheEmptiesItself() throws {
        let tools = try RealToolFixture()
        try tools.tree.file("a.c", text: "int a;\n")
        try tools.run("ccache", "gcc", "-c", "a.c")
        let entry = try #require(Catalogue.standard.entry("ccache"))
        let done = try tools.fixture.workspace().clean(
            entry, environment: ["PATH": "/usr/bin:/bin", "HOME": tools.fixture.home.string])
        #expect(done.succeeded, "\(done.output)")
        let results = try tools.run("find", "home/.cache/ccache", "-name", "*R")
        #expect(results.isEmpty)
    }
}
