//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
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

@Suite("R30: files of clean-up tasks")
struct CleanUpTaskFileTests {
    private typealias Task = CleanUpTaskFixture

    private struct Written: Codable {
        var Path: String?
        var Entries: [String]?
        var Class: String?
        var Selectors: [String]?
    }

    private static let written = [
        Written(Path: "Library/Caches/Maps"),
        Written(Path: "Library/Caches/Thumbs & Ünï", Entries: ["a*.png", "日本"]),
        Written(Class: "Thumbnails", Selectors: ["clear", "shrink"]),
    ]

    private static let works: [CleanUpTask.Work] = [
        .remove(path: "Library/Caches/Maps", entries: nil),
        .remove(path: "Library/Caches/Thumbs & Ünï", entries: ["a*.png", "日本"]),
        .call(class: "Thumbnails", selectors: ["clear", "shrink"]),
    ]

    private static func encoded(_ format: PropertyListDecoder.PropertyListFormat) throws -> [UInt8]
    {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return Array(try encoder.encode(written))
    }

    @Test(arguments: [.xml, .binary] as [PropertyListDecoder.PropertyListFormat])
    func whatTheSystemWritesIsRead(format: PropertyListDecoder.PropertyListFormat) throws {
        let list = try CleanUpTaskList(parsing: try Self.encoded(format), named: "x")
        #expect(list.tasks.map(\.work) == Self.works && list.problems.isEmpty)
        #expect(list.tasks.map(\.number) == [1, 2, 3])
    }

    @Test func theFileOfTheProgramIsReadFromAPathAndFromTheBundle() throws {
        let base = try TemporaryDirectory(on: .memory)
        try base.tree.file("Tasks.plist", contents: try Self.encoded(.binary))
        let url = URL(filePath: base.path.appending("Tasks.plist").string)
        #expect(try Storage.cleanUpTasks(at: url).tasks.count == 3)
        let missing = #expect(throws: StorageError.self) { try Storage.cleanUpTasks() }
        #expect(missing?.code == .notFound)
        #expect(missing?.message.contains("PurgeableCache.plist") == true)
    }

    // MARK: - Files that are no list

    private static let brokenTexts: [(String, String)] =
        [
            ("", "cut short"), ("   \n", "cut short"), ("nonsense", "text where a tag"),
            ("( { Path = a; } )", "text where a tag"), ("[{\"Path\":\"a\"}]", "text where a tag"),
            ("<array/>", "begin with <plist>"), ("<plist/>", "begin with <plist>"),
            ("<plist></plist>", "a value is missing"),
            ("<plist><dict/></plist>", "a dictionary, not an array"),
            ("<plist><string>a</string></plist>", "a string, not an array"),
            ("<plist><true/></plist>", "true or false, not an array"),
            ("<plist><integer>1</integer></plist>", "a number, not an array"),
            ("<plist><array/><array/></plist>", "more than one value"),
            ("<plist><array/></plist><plist/>", "something follows"),
            ("<plist><array></plist>", "ends an array"),
            ("<plist><array><dict></array></dict></plist>", "<key> is missing"),
            ("<plist><array><dict><string>a</string></dict></array></plist>", "<key> is missing"),
            ("<plist><array><dict><key>Path</key></dict></array></plist>", "a value is missing"),
            ("<plist><array><string>a</array></plist>", "not closed"),
            ("<plist><array><string><b/></string></array></plist>", "another element"),
            ("<plist><array><object/></array></plist>", "no value of a property list"),
            ("<plist><array>text</array></plist>", "text where a tag"),
            ("<plist><array><string>&lol;</string></array></plist>", "entity"),
            ("<plist><array><string>&#xD800;</string></array></plist>", "character reference"),
            ("<plist><array><string>&#99999999;</string></array></plist>", "character reference"),
            ("<plist><array><string>&#0;</string></array></plist>", "character reference"),
            ("<!DOCTYPE p [<!ENTITY a \"b\">]><plist><array/></plist>", "entities of its own"),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><array/></plist>", "encoding"),
            ("<plist><array><!-- x </array></plist>", "cut short in a comment"),
            ("<plist><array><string><![CDATA[x</string></array></plist>", "cut short"),
            ("<plist version=\"1.0><array/></plist>", "cut short"),
            ("<plist><array>\u{0}</array></plist>", "NUL"),
            ("bplist", "cut short"), ("bplist00", "cut short"),
        ]

    private static var broken: [(content: [UInt8], why: String)] {
        brokenTexts.map { (Array($0.0.utf8), $0.1) } + brokenBytes
    }

    private static func repeated(_ start: String, _ text: String, _ count: Int) -> [UInt8] {
        Array(start.utf8) + Array(String(repeating: text, count: count).utf8)
    }

    private static let brokenBytes: [([UInt8], String)] =
        [
            ([0xFF, 0xFE, 0x3C, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x3C], "UTF-16"),
            ([0x3C, 0x70, 0xC3, 0x28], "neither UTF-8"),
            (repeated("<plist>", "<array>", 50_000), "nested more than"),
            (repeated("<plist><array>", "<dict><key>a</key>", 40_000), "nested more than"),
            ([UInt8](repeating: 0x20, count: (1 << 20) + 1), "longer than"),
            (binary([[0xA1, 0x00]]), "contains itself"),
            (binary([[0xA1, 0x01], [0xA1, 0x00]]), "contains itself"),
            (binary([[0xD1, 0x01, 0x00], [0x51, 0x61]]), "contains itself"),
            (binary([[0xA1, 0x05]]), "damaged"),
            (binary([[0xD1, 0x01, 0x01], [0x10, 0x01]]), "no string"),
            (binary([[0xAF, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]]), "damaged"),
            (binary([[0xAF, 0x13, 127, 255, 255, 255, 255, 255, 255, 255]]), "damaged"),
            (binary([[0x62, 0xD8, 0x00, 0x00, 0x41]]), "UTF-16"),
            (binary([[0x51, 0xFF]]), "damaged"), (binary([[0x70]]), "damaged"),
            (binary([[0x09]]), "true or false, not an array"),
            (binary([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]]), "a date, not an array"),
            (bomb(), "more than"), (repeated("bplist00", "\u{1}", 60), "table"),
        ]

    /// A binary list of these objects, the first of which is the list.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    /// Few bytes that name one another so often that no memory would hold what they mean.
    private static func bomb() -> [UInt8] {
        var objects: [[UInt8]] = []
        for number in 1...12 as ClosedRange<UInt8> {
            objects.append([0xAA] + [UInt8](repeating: number, count: 10))
        }
        return binary(objects + [[0x51, 0x61]])
    }

    @Test(arguments: broken.indices)
    func aFileThatIsNoListIsAnErrorThatNamesIt(index: Int) throws {
        let (content, why) = Self.broken[index]
        let error = #expect(throws: HeadroomError.self) {
            try CleanUpTaskList(parsing: content, named: "/app/PurgeableCache.plist")
        }
        #expect(error?.code == .invalid)
        #expect(error?.message.hasPrefix("/app/PurgeableCache.plist") == true)
        #expect(error?.message.contains(why) == true, "\(error?.message ?? "")")
    }

    @Test func whatIsNoRegularFileOrTooLongIsAnError() throws {
        let base = try TemporaryDirectory(on: .memory)
        try base.tree.fifo("pipe")
        try base.tree.directory("directory")
        try base.tree.sparseFile("long", size: .gigabytes(8))
        for name in ["pipe", "directory", "long", "missing"] {
            let error = #expect(throws: StorageError.self) {
                try Storage.cleanUpTasks(at: URL(filePath: base.path.appending(name).string))
            }
            #expect(error?.code == (name == "missing" ? .notFound : .corrupt))
            #expect(error?.message.contains(name) == true)
        }
    }

    @Test(arguments: [.xml, .binary] as [PropertyListDecoder.PropertyListFormat])
    func everyFileThatIsCutShortIsAnError(format: PropertyListDecoder.PropertyListFormat) throws {
        let whole = try Self.encoded(format)
        // A line end behind the list is no part of it.
        let end = format == .xml ? whole.count - 1 : whole.count
        for length in 0..<end {
            #expect(throws: HeadroomError.self, "cut after \(length) bytes") {
                try CleanUpTaskList(parsing: Array(whole[..<length]), named: "x")
            }
        }
    }

    // MARK: - Tasks that are wrong

    private static let wrong: [(task: String, key: String?, part: String)] = [
        ("<string>a</string>", nil, "a string"),
        ("<array/>", nil, "an array"),
        ("<dict/>", "Path", "missing"),
        ("<dict><key>path</key><string>a</string></dict>", "path", "no such key"),
        (
            "<dict><key>Path</key><string>a</string><key>Entrys</key><array/></dict>", "Entrys",
            "no such key"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Path</key><string>b</string></dict>",
            "Path",
            "twice"
        ),
        ("<dict><key>Path</key><integer>1</integer></dict>", "Path", "a number"),
        ("<dict><key>Path</key><array/></dict>", "Path", "an array"),
        ("<dict><key>Path</key><data>AAAA</data></dict>", "Path", "data"),
        ("<dict><key>Path</key><string/></dict>", "Path", "empty"),
        ("<dict><key>Entries</key><array><string>a</string></array></dict>", "Path", "missing"),
        (
            "<dict><key>Path</key><string>a</string><key>Entries</key><string>b</string></dict>",
            "Entries", "a string"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Entries</key><array><true/></array></dict>",
            "Entries", "true or false"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Entries</key><array/></dict>", "Entries",
            "empty"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Class</key><string>b</string></dict>",
            "Class",
            "do not go together"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Selectors</key><array/></dict>",
            "Selectors",
            "do not go together"
        ),
        ("<dict><key>Class</key><string>a</string></dict>", "Selectors", "missing"),
        (
            "<dict><key>Selectors</key><array><string>a</string></array></dict>", "Class", "missing"
        ),
        (
            "<dict><key>Class</key><string>a</string><key>Selectors</key><array/></dict>",
            "Selectors",
            "none"
        ),
        (
            "<dict><key>Class</key><date>2026-01-01T00:00:00Z</date><key>Selectors</key><array>"
                + "<string>a</string></array></dict>", "Class", "a date"
        ),
        (
            "<dict><key>Class</key><string>a</string><key>Selectors</key><array><string>b</string>"
                + "<string>b</string></array></dict>", "Selectors", "twice"
        ),
        (
            "<dict><key>Path</key><string>a</string><key>Entries</key><array><string>b/c</string>"
                + "</array></dict>", "Entries", "is a path"
        ),
    ]

    @Test(arguments: wrong.indices)
    func aTaskThatIsWrittenWronglyIsNamedWithItsKey(index: Int) throws {
        let (task, key, part) = Self.wrong[index]
        let list = try Task.list(Task.remove("Library/Caches/Good") + task)
        #expect(list.tasks.map(\.number) == [1])
        let problem = try #require(list.problems.first)
        #expect(list.problems.count == 1 && problem.task == 2 && problem.key == key)
        #expect(problem.message.contains(part), "\(problem)")
        #expect(problem.message.hasPrefix("Task 2"))
        #expect(key.map { problem.message.contains("key \($0)") } ?? true)
    }

    @Test func aTaskNamesItselfWithoutControlCharacters() throws {
        let list = try Task.list(Task.remove("../\u{1B}[2J\u{202E}x"))
        let message = try #require(list.problems.first).message
        #expect(message.contains("\\u{1B}") && message.contains("\\u{202E}"))
        #expect(!message.unicodeScalars.contains("\u{1B}"))
    }

    // MARK: - Files that were damaged

    @Test(
        arguments: [.xml, .binary] as [PropertyListDecoder.PropertyListFormat],
        [1, 2, 3] as [UInt64])
    func whateverIsDamagedIsAnErrorOrAList(
        format: PropertyListDecoder.PropertyListFormat, seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let whole = try Self.encoded(format)
        var (lists, errors) = (0, 0)
        for _ in 0..<4_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            do {
                let list = try CleanUpTaskList(parsing: bytes, named: "x")
                lists += 1
                for case .remove(let path, let entries) in list.tasks.map(\.work) {
                    #expect(!path.isEmpty && !path.hasPrefix("/"), "seed \(seed)")
                    #expect(!path.split(separator: "/").contains(".."), "seed \(seed)")
                    #expect(entries?.contains { $0.contains("/") } != true, "seed \(seed)")
                }
            } catch {
                errors += 1
                #expect(error.code == .invalid, "seed \(seed)")
            }
        }
        #expect(errors > 500 && lists > 50, "seed \(seed): \(lists) lists, \(errors) errors")
    }
}
