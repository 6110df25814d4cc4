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

@Suite("R40: reading tmpfiles.d")
struct TmpfilesRulesTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private func rules(
        _ files: [String: String], specifiers: [Character: String] = [:]
    ) throws -> TmpfilesRules {
        for (path, text) in files { try tree.file(TreePath(stringLiteral: path), text: text) }
        return TmpfilesRules(
            TmpfilesContext(
                directories: ["etc", "run", "local", "lib"].map { directory.path.appending($0) },
                specifiers: specifiers))
    }

    private func rules(_ text: String, specifiers: [Character: String] = [:]) throws
        -> TmpfilesRules
    {
        try rules(["lib/a.conf": text], specifiers: specifiers)
    }

    // MARK: - Lines

    @Test(arguments: ["d", "D", "v", "q", "Q", "C", "d-", "d=", "d~", "D$"])
    func linesWithAnAgeAreAreas(type: String) throws {
        let rules = try rules("\(type) /srv/x 0755 root root 10d -\n")
        #expect(rules.findings == [])
        let area = try #require(rules.rules.first?.area)
        #expect(area.root == "/srv/x")
        #expect(area.purgeClass == .temporary)
        #expect(area.retention == .seconds(864_000))
        #expect(area.ageBasis == .used)
        #expect(area.origin.hasSuffix("lib/a.conf:1"))
    }

    @Test(arguments: [
        "d /srv/x", "d /srv/x - - - -", "d /srv/x 0755 root root", "f /srv/x - - - 10d",
        "L /srv/x - - - 10d /target", "z /srv/x - - - 10d", "d! /srv/x - - - 10d",
        "d /srv/x - - - infinity",
    ])
    func linesWithoutAnAgeThatCountsAreNone(line: String) throws {
        let rules = try rules(line + "\n# comment\n\n   \n")
        #expect(rules.rules.isEmpty)
        #expect(rules.findings == [])
        // What the start of the system alone looks at protects nothing either.
        #expect(rules.exclusions.isEmpty == line.hasPrefix("d!"))
    }

    @Test func quotesAndEscapesAreThoseOfSystemd() throws {
        let rules = try rules(
            #"""
            d "/srv/with space" - - - 1d
            d '/srv/single "quotes"' - - - 1d
            d /srv/esc\x20aped - - - 1d
            d /srv/oct\040al - - - 1d
            d /srv/half" quoted" - - - 1d
            d /srv/u\u00fc - - - 1d
            """#)
        #expect(rules.findings == [])
        #expect(
            rules.rules.map(\.area.root.string) == [
                "/srv/with space", "/srv/single \"quotes\"", "/srv/esc aped", "/srv/oct al",
                "/srv/half quoted", "/srv/uü",
            ])
    }

    @Test(
        arguments: [
            ("10d", 864_000), ("36h", 129_600), ("1w 2d", 777_600), ("0", 0), ("90", 90),
            ("1h30min", 5400), ("1.5d", 129_600), ("2months", 5_259_600), ("1y", 31_557_600),
            ("5M", 13_149_000), ("5m", 300), ("2weeks", 1_209_600), ("1500ms", 1),
        ] as [(String, Int64)])
    func agesAreSpansOfTime(text: String, seconds: Int64) throws {
        let age = try #require(TmpfilesAge(text))
        #expect(age.duration?.components.seconds == seconds)
        #expect(age.fileTimes.count == 4)
        #expect(!age.keepsFirstLevel)
    }

    @Test(arguments: ["", "x", "10 parsecs", "d", "-1d", ":1d", "z:1d", "1d:", "1..5d", "m:"])
    func whatIsNoAgeIsRefused(text: String) {
        #expect(TmpfilesAge(text) == nil)
    }

    @Test func agesMayNameTheTimesAndKeepTheFirstLevel() throws {
        let age = try #require(TmpfilesAge("~amAB:2d"))
        #expect(age.keepsFirstLevel)
        #expect(age.fileTimes == [.accessed, .modified])
        #expect(age.directoryTimes == [.accessed, .born])
    }

    @Test func timesThatCannotBeToldAreReportedAndNotGuessed() throws {
        let rules = try rules(
            """
            d /srv/a - - - m:1d
            d /srv/b - - - bc:1d
            d /srv/c - - - a:1d
            d /srv/d - - - abmABM:1d
            d /srv/e - - - abcmABM:1d
            """)
        #expect(rules.rules.map(\.area.root) == ["/srv/a", "/srv/b", "/srv/e"])
        #expect(rules.rules.map(\.area.ageBasis) == [.modified, .created, .used])
        #expect(rules.findings.map(\.source.line) == [3, 4])
        #expect(rules.findings[0].text.contains("“a” alone"))
    }

    @Test(
        arguments: [
            ("d", "no path"), ("k /srv/x", "no type"), ("d? /srv/x", "modifier"),
            ("d relative - - - 1d", "not absolute"), ("d /srv/../etc - - - 1d", "upwards"),
            ("d /srv/%Y - - - 1d", "%Y"), ("d \"/srv/x - - - 1d", "quote"),
            ("d /srv/\\q - - - 1d", "escape"),
            ("d /srv/x - - - soon", "no age"), ("e /srv/{a,b} - - - 1d", "braces"),
            ("r /srv/x", "removes"),
            ("R /srv/x", "removes"), ("e /srv/[a - - - 1d", "no pattern"),
            // As a pattern it is `\.\.`, which is the directory around it.
            ("e /srv/\\\\.\\\\./etc - - - 1d", "no pattern"),
        ])
    func whatCannotBeSaidIsReportedByFileAndLine(line: String, what: String) throws {
        let rules = try rules("# first\n\(line)\nd /srv/good - - - 1d\n")
        #expect(rules.rules.map(\.area.root) == ["/srv/good"])
        let finding = try #require(rules.findings.first)
        #expect(finding.source.line == 2)
        #expect(finding.text.contains("lib/a.conf:2"), "\(finding.text)")
        #expect(finding.text.contains(what), "\(finding.text)")
    }

    @Test func theLongerOfTwoAgesHolds() throws {
        let rules = try rules("d /srv/x - - - 1d\nq /srv/x - - - 3d\n")
        #expect(rules.rules.map(\.area.retention) == [.seconds(3 * 86400)])
        #expect(rules.findings.count == 1)
    }

    @Test func specifiersStandForWhatTheyStandFor() throws {
        let rules = try rules(
            "d %h/x%%y - - - 1d\nd %t/%u/%U - - - 1d\nd %T%V - - - 1d\n",
            specifiers: [
                "h": "/root", "t": "/run", "u": "root", "U": "0", "T": "/tmp", "V": "/var/tmp",
            ])
        #expect(rules.rules.map(\.area.root) == ["/root/x%y", "/run/root/0", "/tmp/var/tmp"])
    }

    @Test func theMachinesSpecifiersAreKnown() throws {
        let system = TmpfilesContext.system().specifiers
        #expect(system["h"] == "/root" && system["C"] == "/var/cache" && system["S"] == "/var/lib")
        #expect(["x86-64", "arm64"].contains(system["a"]))
        #expect(
            system["b"]?.count == 32 && system["v"]?.isEmpty == false
                && system["H"]?.isEmpty == false)
        let user = TmpfilesContext.user(
            environment: ["XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": "/x"], home: "/home/a")
        #expect(user.specifiers["h"] == "/home/a" && user.specifiers["t"] == "/run/user/7")
        #expect(user.specifiers["C"] == "/home/a/.cache" && user.specifiers["T"] == "/x")
        #expect(user.directories.first == "/home/a/.config/user-tmpfiles.d")
    }

    /// Which may be anything: what is around it goes without what it may name.
    @Test(.tags(.r40b)) func whatALineMayNameThatNobodyCanReadIsKept() throws {
        try tree.file("work/kept-x", size: .kilobytes(4))
        try tree.file("work/other", size: .kilobytes(4))
        for name in ["work/kept-x", "work/other"] as [TreePath] {
            try tree.age(name, by: .seconds(20 * 86_400))
        }
        let work = directory.path.appending("work").string
        let rules = try rules("d \(work) - - - m:1d\nx \(work)/kept-%Y\n")
        #expect(rules.findings.count == 1)
        let workspace = Workspace.open(
            environment: [:], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
        let scope = workspace.scope(rules)
        let plan = try scope.plan(try scope.scan(), targets: [.expired], through: .temporary)
        #expect(plan.map { $0.path.lastComponent?.string } == ["other"])
    }

    // MARK: - Files

    @Test func theFirstDirectoryHoldsAndFilesAreSortedByName() throws {
        let rules = try rules([
            "lib/a.conf": "d /srv/lib-a - - - 1d\n", "etc/a.conf": "d /srv/etc-a - - - 1d\n",
            "run/b.conf": "d /srv/run-b - - - 1d\n", "local/0.conf": "d /srv/local-0 - - - 1d\n",
            "lib/ignored.txt": "d /srv/ignored - - - 1d\n",
        ])
        #expect(rules.rules.map(\.area.root) == ["/srv/local-0", "/srv/etc-a", "/srv/run-b"])
    }

    @Test func anEmptyFileOrALinkToNullMasksTheOthers() throws {
        try tree.directory("etc")
        try tree.symbolicLink("etc/b.conf", to: "/dev/null")
        let rules = try rules([
            "etc/a.conf": "", "lib/a.conf": "d /srv/a - - - 1d\n",
            "lib/b.conf": "d /srv/b - - - 1d\n",
        ])
        #expect(rules.rules.isEmpty)
        #expect(rules.findings.isEmpty)
    }

    /// What Debian and systemd ship can all be read.
    @Test(.enabled(if: TmpfilesClean.isHere, "needs systemd-tmpfiles"))
    func theMachinesOwnFilesCanBeRead() {
        let rules = TmpfilesRules(TmpfilesContext.system())
        #expect(rules.exclusions.count > 5)
        for finding in rules.findings {
            #expect(finding.text.contains("no matter of age"), "\(finding.text)")
        }
    }
}
