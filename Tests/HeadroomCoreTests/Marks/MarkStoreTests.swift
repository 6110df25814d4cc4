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

#if os(Linux)
private typealias SystemCalls = LinuxCalls
#else
private typealias SystemCalls = POSIXCalls
#endif

struct MarkStoreTests {
    private let directory: TemporaryDirectory
    private let ledger = MemoryMarkLedger()
    private let store: MarkStore

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        store = MarkStore(calls: SystemCalls(), ledger: ledger)
    }

    private func attribute(_ path: TreePath) throws -> MarkAttribute {
        let opened =
            try directory.tree.status(of: path).type == .directory
            ? directory.tree.open(path) : file(path)
        return withExtendedLifetime(opened) { MarkAttribute.read($0.rawValue, SystemCalls()) }
    }

    private func file(_ path: TreePath) throws -> Descriptor {
        let parent = try directory.tree.open(path.directory)
        let name = try #require(path.names.last)
        let number = try name.withEntryName { (name) throws(Errno) in
            try SystemCalls().openFile(name, at: parent.rawValue, writing: true)
        }
        return Descriptor(owning: number)
    }

    @Test func marksAFileAndFlagsItsDirectory() throws {
        try directory.tree.file("in/file", text: "x")
        let path = directory.tree.path("in/file")
        let place = try store.update(path) { $0.purgeClass = .lastResort }
        #expect(place == .attribute)
        #expect(try attribute("in/file").mark == Mark(purgeClass: .lastResort))
        #expect(try attribute("in").hasMarkedFiles)
        #expect(try attribute("in").mark == .none)
        #expect(ledger.markedFiles.map(\.mark) == [Mark(purgeClass: .lastResort)])
        #expect(ledger.markedFiles.map(\.path) == [path])
    }

    @Test func keepsTheDirectorysOwnMarkAndFlagApart() throws {
        try directory.tree.file("in/file", text: "x")
        try store.update(directory.tree.path("in")) { $0.importance = 7 }
        try store.update(directory.tree.path("in/file")) { $0.isPinned = true }
        try store.update(directory.tree.path("in")) { $0.isPinned = false }
        let read = try attribute("in")
        #expect(read.mark == Mark(isPinned: false, importance: 7))
        #expect(read.hasMarkedFiles)
        try store.clear(directory.tree.path("in"))
        #expect(try attribute("in") == MarkAttribute(hasMarkedFiles: true))
    }

    @Test func clearingLeavesNoAttributeAndNoRecord() throws {
        try directory.tree.file("file", text: "x")
        let path = directory.tree.path("file")
        try store.update(path) { $0.isPinned = true }
        try store.clear(path)
        let file = try self.file("file")
        #expect(try SystemCalls().attributeNames(of: file.rawValue).isEmpty)
        #expect(ledger.markedFiles.isEmpty)
        #expect(try store.mark(of: path) == .none)
    }

    @Test(.tags(.r9a)) func inheritsPartByPart() throws {
        try directory.tree.file("a/b/file", text: "x")
        try store.update(directory.tree.path("a")) {
            $0.purgeClass = .cache
            $0.isPinned = true
        }
        try store.update(directory.tree.path("a/b")) { $0.isPinned = false }
        try store.update(directory.tree.path("a/b/file")) { $0.importance = 3 }
        let mark = try store.effectiveMark(of: directory.tree.path("a/b/file"))
        #expect(mark == Mark(purgeClass: .cache, isPinned: false, importance: 3))
    }

    @Test func leavesADamagedMarkUntilItIsCleared() throws {
        try directory.tree.file("file", text: "x")
        let file = try self.file("file")
        try SystemCalls().setAttribute(
            MarkAttribute.name, to: Array("9 new".utf8), of: file.rawValue)
        let path = directory.tree.path("file")
        #expect(try store.mark(of: path).isPinned == true)
        let error = #expect(throws: HeadroomError.self) {
            try store.update(path) { $0.purgeClass = .cache }
        }
        #expect(error?.code == .refused)
        #expect(try attribute("file").isDamaged)
        try store.clear(path)
        #expect(try attribute("file") == .none)
    }

    @Test func refusesWhatCarriesNoMark() throws {
        try directory.tree.fifo("fifo")
        try directory.tree.file("file", text: "x")
        try directory.tree.symbolicLink("link", to: "file")
        for name in ["fifo", "link"] {
            let error = #expect(throws: HeadroomError.self) {
                try store.update(directory.path.appending(name)) { $0.isPinned = true }
            }
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("link or a special file") == true)
        }
        #expect(ledger.markedFiles.isEmpty)
        #expect(try attribute("file") == .none)
    }

    @Test(arguments: [
        ("", HeadroomError.Code.invalid), ("file", .invalid), ("/no/such", .notFound),
    ])
    func refusesPathsThatAreNone(_ path: String, _ code: HeadroomError.Code) {
        let error = #expect(throws: HeadroomError.self) {
            try store.update(FilePath(path)) { $0.isPinned = true }
        }
        #expect(error?.code == code)
    }

    @Test func readsTheMarksThatAScanMeets() throws {
        try directory.tree.file("in/a", text: "x")
        try directory.tree.file("in/b", text: "x")
        try store.update(directory.tree.path("in/a")) { $0.isPinned = true }
        let folder = try directory.tree.open("in")
        let calls = SystemCalls()
        let reader = LedgerMarkSource(calls: calls, recorded: [])
        let own = try #require(
            reader.reading(ofDirectory: folder.rawValue, try directory.tree.status(of: "in")))
        #expect(own.hasMarkedFiles)
        #expect(own.mark == .none)
        #expect(!reader.knowsFiles)
        func reading(_ name: String) throws -> MarkReading? {
            let status = try directory.tree.status(of: TreePath("in/\(name)"))
            return try #require(FileName(name)).withEntryName { name in
                reader.reading(ofFile: name, at: folder.rawValue, status)
            }
        }
        #expect(try reading("a")?.mark == Mark(isPinned: true))
        #expect(try reading("b") == nil)
    }

    @Test func findsAMarkThatOnlyTheLedgerHolds() throws {
        try directory.tree.file("file", text: "x")
        try store.update(directory.tree.path("file")) { $0.isPinned = true }
        let file = try self.file("file")
        _ = try SystemCalls().removeAttribute(MarkAttribute.name, of: file.rawValue)
        #expect(try store.mark(of: directory.tree.path("file")).isPinned == true)
        let reader = LedgerMarkSource(calls: SystemCalls(), recorded: ledger.markedFiles)
        let status = try directory.tree.status(of: "file")
        #expect(reader.knowsFiles)
        #expect(reader.isKnown(inode: status.identity.inode))
        let root = try directory.tree.open()
        let reading = try #require(FileName("file")).withEntryName { name in
            reader.reading(ofFile: name, at: root.rawValue, status)
        }
        #expect(reading?.mark.isPinned == true)
    }

    #if os(Linux)
    @Test(.tags(.r9c, .r46c)) func keepsMarksInTheLedgerWhereNoAttributeCanBeWritten() throws {
        let calls = NoAttributeCalls()
        let store = MarkStore(calls: calls, ledger: ledger)
        try directory.tree.file("file", text: "x")
        let path = directory.tree.path("file")
        let place = try store.update(path) { $0.purgeClass = .cache }
        #expect(place == .ledgerOnly(.notSupported))
        #expect(try store.mark(of: path).purgeClass == .cache)
        try store.clear(path)
        #expect(try store.mark(of: path) == .none)
    }
    #endif
}
