//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Each finding says what to do, and doing it takes the finding away.
@Suite("R4, R12: each finding has a fix")
struct AuditFixTests {
    private let fixes: FixFixture
    private var box: AuditFixture { fixes.box }
    private var workspace: Workspace { fixes.workspace }

    init() throws {
        fixes = try FixFixture()
    }

    // MARK: - Every code

    /// What makes a finding of a code.
    struct Example: Sendable, CustomTestStringConvertible {
        var code: AuditFinding.Code
        var place = "box"
        var make: @Sendable (AuditFixture, Workspace) throws -> Void
        var testDescription: String { code.description }
    }

    static let examples: [Example] = [
        Example(code: .recreatableInBackup) { box, _ in
            try box.file("Library/Application Support/Podcaster/MapTiles/a.png", .kilobytes(80))
        },
        Example(code: .smallRecreatableInBackup) { box, _ in
            for index in 0..<20 {
                let name = "Library/Application Support/Podcaster/Media/a\(index)/e.mp3"
                try box.file(name, .kilobytes(20), start: Array("ID3".utf8))
                try box.set("user.xdg.origin.url", "https://example.com", of: name)
            }
        },
        Example(code: .largeInBackup) { box, _ in
            try box.file("Documents/film.mov", .kilobytes(250))
            try box.file("Documents/film2.mov", .kilobytes(250))
        },
        Example(code: .userContentExcluded) { box, workspace in
            try box.file("Documents/Novel/chapter.txt")
            try workspace.mark(box.path("Documents/Novel")) { $0.isExcludedFromBackup = true }
        },
        Example(code: .lostMark) { box, workspace in
            try box.file("Documents/diary.txt")
            try workspace.mark(box.path("Documents/diary.txt")) { $0.isPinned = true }
            try box.file("Documents/diary.new")
            try box.directory.tree.rename(
                "box/Documents/diary.new", to: "box/Documents/diary.txt")
        },
        Example(code: .recreatableInDocuments) { box, _ in
            try box.file("Documents/Thumbnails/a.jpg")
        },
        Example(code: .cacheAtGroupRoot, place: "group") { box, _ in
            let tree = box.directory.tree
            try PhoneContainer.group(metadata: true).make(in: tree, at: "group")
            try tree.file("group/image_cache/1.jpg", size: .kilobytes(4))
        },
        // There is no Application Support yet.
        Example(code: .handwrittenPreferences) { box, _ in
            try box.file("Library/Preferences/settings.json")
        },
        Example(code: .createdInInbox) { box, _ in
            try box.file("Documents/Inbox/index.sqlite")
        },
        Example(code: .severalAppDirectories) { box, _ in
            try box.file("Library/Podcaster/a")
            try box.file("Library/Player/a")
        },
        Example(code: .directoryName) { box, _ in
            try box.file("Library/my_stuff/a")
        },
    ]

    @Test(.tags(.r4d), arguments: examples)
    func eachFindingHasAFixThatTakesItAway(_ example: Example) throws {
        try example.make(box, workspace)
        let before = try fixes.audit(example.place)
        #expect(before.findings.allSatisfy { $0.fix != nil })
        let found = try #require(before.findings.first { $0.code == example.code })
        try fixes.carryOut(try #require(found.fix))
        let after = try fixes.audit(example.place)
        #expect(!after.findings.contains { $0.code == found.code && $0.path == found.path })
    }

    @Test(.tags(.r4d)) func thereIsAnExampleOfEveryCode() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root = root.deletingLastPathComponent() }
        let source = root.appending(path: "Sources/HeadroomWorkspace/Audit/AuditFinding.swift")
        let text = String(decoding: try Data(contentsOf: source), as: UTF8.self)
        var codes: Set<String> = []
        for part in text.split(separator: "= Self(\"").dropFirst() {
            codes.insert(String(part.prefix { $0 != "\"" }))
        }
        #expect(codes == Set(Self.examples.map(\.code.description)))
    }

    // MARK: - What a person made, and no backup holds

    @Test(.tags(.r12c)) func takingBackAnExclusionLeavesTheRestOfTheMark() throws {
        try box.file("Documents/Novel/chapter.txt")
        let novel = box.path("Documents/Novel")
        try workspace.mark(novel) {
            $0 = Mark(isPinned: true, importance: 80, isExcludedFromBackup: true)
        }
        let found = try fixes.fix(.userContentExcluded)
        #expect(found.command { "\($0)" } == "headroom mark \(novel) --backup")
        try fixes.carryOut(found)
        #expect(try workspace.marks.mark(of: novel) == Mark(isPinned: true, importance: 80))
        #expect(try workspace.backupExclusionReader().exclusion(of: novel) == .none)
    }

    @Test(
        .tags(.r12c),
        arguments: [
            ([.attribute], "setfattr -x user.xdg.robots.backup 'DIARY'"),
            ([.noDump], "chattr -d 'DIARY'"),
            (
                [.attribute, .noDump],
                "setfattr -x user.xdg.robots.backup 'DIARY' && chattr -d 'DIARY'"
            ),
        ] as [(BackupDialects, String)])
    func wordsOfOthersAreTakenBackAndNothingElse(
        words: BackupDialects, expected: String
    ) throws {
        let diary = box.path("Documents/diary.txt")
        try box.file("Documents/diary.txt")
        try workspace.mark(diary) { $0.isPinned = true }
        if words.contains(.attribute) {
            try box.set("user.xdg.robots.backup", "false", of: "Documents/diary.txt")
        }
        if words.contains(.noDump) {
            let file = try Descriptor.openFile(diary)
            try NoDumpFlag.set(true, of: file.rawValue)
        }
        let found = try fixes.fix(.userContentExcluded)
        #expect(found.action == .includeInBackup(diary, saidBy: words))
        #expect(!found.isSafe)
        #expect(
            found.command { "'\($0)'" } == expected.replacing("DIARY", with: diary.string))
        try fixes.carryOut(found)
        #expect(try fixes.audit().findings == [])
        #expect(try workspace.backupExclusionReader().exclusion(of: diary) == .none)
        #expect(try workspace.marks.mark(of: diary) == Mark(isPinned: true))
    }

    @Test func aTagOfAnotherProgramIsRemovedByThePerson() throws {
        try box.file("Documents/diary.txt")
        try box.directory.tree.file(
            "box/Documents/CACHEDIR.TAG",
            text: "Signature: 8a477f597d28d172789f06886806bc55\n# cargo\n")
        let found = try fixes.fix(.userContentExcluded)
        #expect(found.command { "'\($0)'" } == "rm '\(box.path("Documents"))/CACHEDIR.TAG'")
        try fixes.carryOut(found)
        #expect(try fixes.audit().findings == [])
    }

    @Test func whatInheritsNamesTheDirectoryThatSaysSo() throws {
        try box.file("Documents/Novel/old/chapter.txt")
        let novel = box.path("Documents/Novel")
        try workspace.mark(novel) { $0.isExcludedFromBackup = true }
        let found = try fixes.fix(.userContentExcluded, in: "box/Documents/Novel/old")
        #expect(found.command { "\($0)" } == "headroom mark \(novel) --backup")
    }

    @Test(
        arguments: [
            ([.mark, .ownTag, .attribute, .noDump], "headroom mark '/a b' --backup"),
            (
                [.mark, .foreignTag, .attribute],
                "headroom mark '/a b' --backup && rm '/a b/CACHEDIR.TAG'"
            ),
            // The mark that it went with is gone.
            ([.ownTag], "rm '/a b/CACHEDIR.TAG'"),
            ([.apple], "tmutil removeexclusion '/a b'"),
        ] as [(BackupDialects, String)])
    func theCommandGoesByWhoseWordItIs(words: BackupDialects, expected: String) {
        let fix = AuditFix(.includeInBackup("/a b", saidBy: words), isSafe: false)
        #expect(fix.command { "'\($0)'" } == expected)
    }

    // MARK: - What is small

    @Test func whatOnlyAPersonCanJudgeIsListedOneByOne() throws {
        for index in 0..<20 {
            let name = "Documents/song\(index).mp3"
            try box.file(name, .kilobytes(20), start: Array("ID3".utf8))
            try box.set("user.xdg.origin.url", "https://example.com", of: name)
        }
        let found = try fixes.fix(.smallRecreatableInBackup)
        #expect(found.command { "'\($0)'" } == "headroom audit '\(box.root)' --larger-than 1")
        var options = box.options
        options.largeEach = ByteCount(1)
        let each = try workspace.audit([box.root], options: options).findings
        #expect(each.filter { $0.code == .recreatableInBackup && $0.fix != nil }.count == 20)
    }

    @Test func whatLiesDirectlyInARoleIsLeftOutByAList() throws {
        let home = try StorageFixture(on: .disk)
        for index in 0..<20 {
            try home.tree.file(
                TreePath(stringLiteral: "home/.cache/f\(index)"), size: .kilobytes(20))
        }
        let root = home.base.path.appending("home")
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: root,
            ledgerDirectory: home.base.path.appending("ledger"), minIdle: .none,
            clock: Timestamp.now)
        let findings = try workspace.audit(options: box.options).findings
        let found = try #require(findings.first { $0.code == .smallRecreatableInBackup }?.fix)
        #expect(found.command { "'\($0)'" } == "headroom audit '\(root)' --excludes restic")
        let list = try workspace.excludeList(of: [root])
        #expect(list.entries.map(\.path).contains(root.appending(".cache")))
    }
}
#endif
