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

@Suite("R20: a store takes no directory that is somebody else's")
struct StoreDirectoryTests {
    @Test(arguments: [
        ["store": "mine", "index.log": "12:00 started", "notes.txt": "text"],
        ["store": "mine"],
        ["index.log": "12:00 started"],
        ["store.new": "mine"],
        ["store": "", "index.log": ""],
        // Not as a store writes them.
        ["1.segment": "x", "00000000000000zz.value": "y", "0000000000000001.Value": "z"],
        ["photo.jpg": "x", "0000000000000001.segment": "film"],
        ["store": "mine", "0000000000000001.segment": "film", "0000000100000001.value": "sound"],
    ])
    func filesOfOthersStayAsTheyAre(files: [String: String]) throws {
        let fixture = try StoreFixture()
        for (name, text) in files { try fixture.directory.tree.file("store/\(name)", text: text) }
        let error = try #require(throws: HeadroomError.self) { _ = try fixture.open() }
        #expect(error.code == .invalid)
        #expect("\(error)".contains("a directory of its own"))
        #expect(
            try Set(fixture.directory.tree.names(in: "store").map(\.text)) == Set(files.keys))
        for (name, text) in files {
            let bytes = try RegularFile(
                name, in: StateDirectory(opening: fixture.directory.path.appending("store")),
                .reading
            ).read(100, at: 0)
            #expect(bytes == Array(text.utf8))
        }
    }

    @Test func theErrorNamesWhatIsThere() throws {
        let fixture = try StoreFixture()
        for name in ["a", "b", "c", "d", "store"] {
            try fixture.directory.tree.file("store/\(name)", text: "x")
        }
        let error = try #require(throws: HeadroomError.self) { _ = try fixture.open() }
        #expect("\(error)".contains("a, b, c and 1 more"))
    }

    @Test func whatSaysSomethingOfTheDirectoryIsNoMatter() throws {
        let fixture = try StoreFixture()
        try fixture.directory.tree.file("store/CACHEDIR.TAG", text: "tag")
        try fixture.directory.tree.file("store/.nobackup", text: "")
        let store = try fixture.open()
        try store.put([1], "key")
        #expect(try store.get("key") == [1])
    }

    /// A process that was killed while it made the store has left the beginning of a file, or a gap.
    @Test(arguments: [
        ["store.new": ""], ["store.new": "HRCS", "index.log.new": "\0\0\0\0"],
        ["index.log.new": "\0\0\0\0\0\0\0\0"],
    ])
    func aStoreThatWasNotFinishedIsMade(files: [String: String]) throws {
        let fixture = try StoreFixture()
        for (name, text) in files { try fixture.directory.tree.file("store/\(name)", text: text) }
        let store = try fixture.open()
        try store.put([1], "key")
        store.end()
        #expect(try fixture.open().get("key") == [1])
    }

    @Test(arguments: ["store", "index.log"])
    func aStoreWithoutOneOfItsFilesIsOne(lost: String) throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            // Nothing in it: the other file alone says what it is.
            store.end()
        }
        for name in try fixture.names(".segment") { try fixture.remove(name) }
        try fixture.remove(lost)
        let store = try fixture.open()
        try store.put([1], "key")
        #expect(try store.get("key") == [1])
    }

    /// Whoever links a segment elsewhere, to keep what is in it, keeps it.
    @Test func aSegmentWithASecondNameKeepsItsContent() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 8 << 20)
        let value = StoreFixture.value(3000)
        for number in 0..<100 { try store.put(value, "key-\(number)") }
        try store.close()
        let name = try #require(try fixture.names(".segment").first)
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        try directory.link(name, as: "kept")
        let before = try RegularFile("kept", in: directory, .reading)
        let size = try before.size()
        try store.removeAll()
        #expect(try !fixture.names(".segment").contains(name))
        let kept = try RegularFile("kept", in: directory, .reading)
        #expect(try kept.size() == size)
        // The first value, behind its header and its key.
        let bytes = try kept.read(Int(size), at: 0)
        #expect(bytes.firstRange(of: value) != nil)
    }
}
