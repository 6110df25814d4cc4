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

/// The audit of R4, R12 and R13 through the binary.
@Suite(.blocks)
struct AuditTests {
    private let home: Home
    private let box = "box/Library/Application Support/Podcaster/MapTiles"

    init() throws {
        home = try Home(on: .disk)
        try PhoneContainer.app.make(in: home.tree, at: "box")
        try home.tree.file(TreePath(stringLiteral: "\(box)/a.png"), size: .kilobytes(40))
        try home.tree.file("box/Documents/Diary/1.txt", text: "x")
    }

    private var container: String { home.directory.path.appending("box").string }

    @Test func findingsAreListedInTextAndJSON() throws {
        let text = try home.run("audit", container)
        #expect(text.exitCode == 0)
        #expect(text.output.contains("Map tiles can be had again, and should not be backed up."))
        #expect(text.output.contains("--no-backup"))
        let json = try home.run("audit", container, "--json")
        #expect(json.exitCode == 0)
        #expect(json.output.hasPrefix(#"{"schema":"headroom.audit/1","#))
        #expect(json.values("code").contains(#""recreatable-in-backup""#))
        #expect(json.output.contains(#""layout":"appleContainer""#))
    }

    @Test(.tags(.r12e, .r37a)) func nothingIsChangedWithoutFix() throws {
        let before = try ChildProcess.run("find", [container, "-printf", "%P %i %s %T@ %C@\\n"])
        _ = try home.run("audit", container)
        _ = try home.run("audit", container, "--json", "--large", "20")
        let after = try ChildProcess.run("find", [container, "-printf", "%P %i %s %T@ %C@\\n"])
        #expect(before.output == after.output)
    }

    @Test func theCommandThatIsShownWorks() throws {
        let json = try home.run("audit", container, "--json")
        let shown = try #require(json.values("fix").first { $0.contains("--no-backup") })
        // The path has spaces and is quoted for a shell.
        let command = shown.dropFirst().dropLast().replacing(
            "headroom", with: Program.path, maxReplacements: 1)
        let result = try ChildProcess.run(
            "sh", ["-c", String(command)], environment: home.environment)
        #expect(result.exitCode == 0, "\(command) \(result.errors)")
        let again = try home.run("audit", container, "--json")
        #expect(!again.values("code").contains(#""recreatable-in-backup""#))
    }

    @Test func theCommandTakesBackAnExclusionAndNothingElse() throws {
        let diary = home.directory.path.appending("box/Documents/Diary").string
        _ = try home.run("mark", diary, "--no-backup", "--pin", "--importance", "80")
        let json = try home.run("audit", container, "--json")
        let shown = try #require(json.values("fix").first { $0.contains(" --backup") })
        let command = shown.dropFirst().dropLast().replacing(
            "headroom", with: Program.path, maxReplacements: 1)
        let result = try ChildProcess.run(
            "sh", ["-c", String(command)], environment: home.environment)
        #expect(result.exitCode == 0, "\(command) \(result.errors)")
        let again = try home.run("audit", container, "--json")
        #expect(!again.values("code").contains(#""user-content-excluded""#))
        let mark = try home.run("mark", diary, "--json")
        #expect(mark.values("pinned").first == "true")
        #expect(mark.values("importance").first == "80")
        #expect(mark.values("noBackup").first == "false")
    }

    @Test func fixDoesWhatIsSafeAndSaysSo() throws {
        try home.tree.file("box/Documents/Thumbnails/1.jpg", size: .kilobytes(8))
        let result = try home.run("audit", container, "--fix", "--json")
        #expect(result.exitCode == 0)
        #expect(result.values("done") == ["true"])
        let again = try home.run("audit", container, "--fix", "--json")
        #expect(again.values("done").isEmpty)
        #expect(again.values("code").contains(#""recreatable-in-documents""#))
        #expect(home.tree.exists("box/Documents/Thumbnails/1.jpg"))
    }

    @Test func aGroupIsNamedByItsLayout() throws {
        try PhoneContainer.group(metadata: false).make(in: home.tree, at: "group")
        let group = home.directory.path.appending("group").string
        #expect(try home.run("plan", group, "--all").exitCode == 1)
        let plan = try home.run("plan", group, "--layout", "group", "--all", "--json")
        #expect(plan.exitCode == 0)
        #expect(plan.output.contains("Library/Caches/Widgets/timeline-1.png"))
        #expect(!plan.output.contains("Shared.sqlite"))
        let audit = try home.run("audit", group, "--layout", "group", "--json")
        #expect(audit.output.contains(#""layout":"appleGroup""#))
    }

    @Test(
        arguments: [
            (["/no/such/place"], 1), (["/etc/passwd"], 1), ([""], 1),
            (["--larger-than", "much"], 2), (["--layout", "app"], 2), (["--large", "0"], 2),
            (["--rules", "/no/such/rules"], 1), (["--rules", "/etc/passwd"], 1),
            (["/etc", "--layout", "group"], 1),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let result = try home.run(["audit"] + arguments)
        #expect(result.exitCode == code)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }
}
