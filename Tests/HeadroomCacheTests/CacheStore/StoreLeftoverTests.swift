//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What a process was about to tell that was killed counts for what it was then, and for no more.
@Suite(
    "R20: what a killed process of a cache store left",
    .enabled(if: CacheDriverProgram.path != nil, "needs the program CacheDriver"))
struct StoreLeftoverTests {
    /// Neither a value that was put, nor the copy of one, is found where what replaced it is out of use, too:
    /// whoever marked that was killed before the log was told.
    @Test(arguments: [StoreStep.recordWritten, .recordCopied])
    func isNotFoundBehindANewerOneThatIsOutOfUse(step: StoreStep) throws {
        let fixture = try TortureFixture(limit: 2 << 20, keys: 450)
        // With room, so that nothing has to go; and with a segment.
        let store = try fixture.open(limit: 64 << 20)
        try store.put([7], "another")
        try fixture.kill(at: step)
        let left = try fixture.records().filter { !$0.isRetired }
        #expect(left.contains { $0.isCopy } || step != .recordCopied)
        let keys = Set(left.map(\.key)).subtracting(["another"])
        #expect(!keys.isEmpty)
        for key in keys { try store.put([7], key) }
        let known = Set(left.map(\.place))
        let new = try fixture.records().filter { !known.contains($0.place) && !$0.isRetired }
        #expect(Set(new.map(\.key)) == keys)
        for record in new { try fixture.mark(record) }
        for key in keys { #expect(try store.get(key) == nil) }
    }

    /// A record that was being moved is marked where it was, and nobody is told where it is: it is not lost
    /// with its old segment.
    @Test func isFoundThoughItsOldSegmentGoes() throws {
        // So much of it is of no use that room is made by moving alone.
        let fixture = try TortureFixture(limit: 4 << 20, keys: 450)
        let store = try fixture.open()
        try fixture.kill(at: .recordCopied)
        let records = try fixture.records().filter { !$0.isRetired }
        let copy = try #require(records.first { $0.isCopy })
        let original = try #require(
            records.first { $0.sequence == copy.sequence && $0.key == copy.key && !$0.isCopy })
        // It is not to go because of others.
        let pin = unsafe try #require(try store.pin(Array(copy.key.utf8).span.bytes))
        defer { withExtendedLifetime(pin) {} }
        try fixture.mark(original)
        var number = 0
        while try fixture.files().contains(original.file), number < 20_000 {
            try store.put(StoreFixture.value(3000), "filling-\(number % 50)")
            number += 1
        }
        #expect(try !fixture.files().contains(original.file))
        let value = try #require(try store.get(copy.key))
        let key = try #require(Int(copy.key.dropFirst(4)))
        let known = fixture.versions.returned(key)
        #expect(fixture.versions.problem(with: value, key, since: known, mayBeGone: false) == nil)
    }

    /// A process that is alone does not mark what it moves, since the segment goes: also if it is killed before
    /// that, and the index is lost later.
    @Test func isNotFoundWhereItWasMovedFrom() throws {
        let fixture = try TortureFixture(limit: 4 << 20, keys: 450)
        try fixture.kill(at: .moveTold)
        let records = try fixture.records().filter { !$0.isRetired }
        let copies = Set(records.filter(\.isCopy).map(\.sequence))
        #expect(records.contains { !$0.isCopy && copies.contains($0.sequence) })
        let store = try fixture.open()
        for key in 0..<fixture.keys { try store.remove("key-\(key)") }
        store.end()
        try StateDirectory(opening: fixture.store).remove("index.log")
        let again = try fixture.open()
        again.finishSweeping()
        for key in 0..<fixture.keys { #expect(try again.get("key-\(key)") == nil) }
    }

    /// Killed, or without power, in the midst of what a put tells the log.
    @Test(arguments: [100, 100_000])
    func aTagThatWasCutOffIsKnown(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let first = try fixture.open()
            first.finishSweeping()
            try first.put(StoreFixture.value(length), "key", CacheAttributes(tags: ["tag"]))
            try first.flush()
        }
        let log = try fixture.directory.tree.status(of: TreePath("store/index.log"))
        try fixture.cut("index.log", to: UInt64(log.logicalSize.bytes) - (length > 65536 ? 37 : 5))
        let second = try fixture.open()
        second.finishSweeping()
        #expect(try second.get("key") != nil)
        #expect(try second.removeAll(tagged: "tag") == 1)
        #expect(try second.get("key") == nil)
    }
}

/// A record as it stands in a segment.
private struct StoredRecord {
    struct Place: Hashable {
        let file: String
        let offset: Int
    }

    let place: Place
    let key: String
    let sequence: UInt64
    let isCopy: Bool
    let isRetired: Bool

    var file: String { place.file }

    /// By the format of record 0020.
    init?(_ bytes: ArraySlice<UInt8>, _ file: String, _ offset: Int) {
        func integer(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[bytes.startIndex + $1]) }
        }
        guard bytes.count >= 64, bytes.starts(with: Array("HCE1".utf8)),
            bytes.count >= 64 + Int(integer(12..<14))
        else { return nil }
        place = Place(file: file, offset: offset)
        key = String(decoding: bytes.dropFirst(64).prefix(Int(integer(12..<14))), as: UTF8.self)
        sequence = integer(36..<44)
        isCopy = integer(11..<12) & 2 != 0
        isRetired = integer(60..<64) != 0
    }
}

extension TortureFixture {
    /// Starts a process that is killed when it comes to a step for the first time.
    fileprivate func kill(at step: StoreStep) throws {
        let child = try start([
            "die=\(step.rawValue):1", "operations=100000", "seed=5", "large=1000000",
        ])
        let result = try child.wait()
        #expect(result.signal == SIGKILL, "\(result)")
    }

    /// What stands in all segments.
    fileprivate func records() throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        for name in try files().sorted() where name.hasSuffix(".segment") {
            let file = try RegularFile(name, in: StateDirectory(opening: store), .reading)
            let bytes = try file.read(Int(file.size()), at: 0)
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                if let record = StoredRecord(bytes[offset...], name, offset) {
                    records.append(record)
                }
            }
        }
        return records
    }

    /// Takes a record out of use, and tells nobody.
    fileprivate func mark(_ record: StoredRecord) throws {
        let file = try RegularFile(record.file, in: StateDirectory(opening: store), .writing)
        try file.write(Array("GONE".utf8), at: UInt64(record.place.offset + 60))
    }
}
#endif
