//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: what has been done and is not in the log yet")
struct StoreUntoldTests {
    private static func fill(_ path: FilePath) throws {
        let file = unsafe Glibc.open(path.string, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 4096)
        while unsafe Glibc.write(file, block, block.count) > 0 {}
    }

    /// Of two values that one process alone has put under a key, and not told, the second is found by who comes, and
    /// replaced.
    @Test(arguments: [1, 100_000])
    func whatComesAfterTwoThatWereNotToldStays(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        try first.put(StoreFixture.value(length, seed: 1), "key")
        try first.put(StoreFixture.value(length, seed: 2), "key")
        let second = try fixture.open()
        second.finishSweeping()
        try second.put(StoreFixture.value(length, seed: 3), "key")
        #expect(try second.get("key") == StoreFixture.value(length, seed: 3))
        #expect(try first.get("key") == StoreFixture.value(length, seed: 3))
        try first.flush()
        try second.flush()
        #expect(try first.get("key") == StoreFixture.value(length, seed: 3))
        #expect(try second.get("key") == StoreFixture.value(length, seed: 3))
        let third = try fixture.open()
        #expect(try third.get("key") == StoreFixture.value(length, seed: 3))
    }

    /// The same where what was put was evicted before it was told.
    @Test(arguments: [1, 100_000])
    func whatComesAfterOneThatWasEvictedAndNotToldStays(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open(entryLimit: 8)
        first.finishSweeping()
        for number in 0..<9 {
            fixture.pass(.seconds(1))
            try first.put(StoreFixture.value(length, seed: 1), "\(number)")
        }
        #expect(!first.contains("0"))
        let second = try fixture.open()
        second.finishSweeping()
        try second.put([3], "0")
        #expect(try second.get("0") == [3])
        try first.flush()
        try second.flush()
        #expect(try second.get("0") == [3])
        let third = try fixture.open()
        #expect(try third.get("0") == [3])
    }

    /// The same with a removal: what is told in the end is that there is something.
    @Test(arguments: [1, 100_000])
    func whatIsRemovedAfterTwoThatWereNotToldIsGone(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        try first.put(StoreFixture.value(length, seed: 1), "key")
        try first.put(StoreFixture.value(length, seed: 2), "key")
        let second = try fixture.open()
        second.finishSweeping()
        #expect(try second.remove("key"))
        try first.flush()
        try second.flush()
        #expect(!first.contains("key"))
        #expect(!second.contains("key"))
        let third = try fixture.open()
        #expect(!third.contains("key"))
        #expect(third.statistics.entries == 0)
    }

    /// Pinned, and read, when another has evicted it long ago and not told.
    @Test func whatIsPinnedIsNotEvictedBefore() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open(entryLimit: 32)
        first.finishSweeping()
        for number in 0..<32 {
            fixture.pass(.seconds(1))
            try first.put([UInt8(number)], "\(number)")
        }
        try first.flush()
        try first.put([8], "32")
        #expect(!first.contains("0"))
        let second = try fixture.open()
        second.finishSweeping()
        #expect(second.contains("0"))
        let key = Array("0".utf8)
        let pin = try #require(unsafe try second.pin(key.span.bytes))
        #expect(try second.get("0") == [0])
        try first.flush()
        try second.flush()
        #expect(try second.get("0") == [0])
        withExtendedLifetime(pin) {}
    }

    /// The same where a snapshot comes between, which has it among what is not marked: whoever holds it may have room
    /// to know that, or none.
    @Test(.tags(.r20f), arguments: [nil, 4000])
    func whatIsPinnedOutlivesASnapshotWithoutIt(entryLimit: Int?) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open(entryLimit: 2000)
        first.finishSweeping()
        // So many that a snapshot is worth it.
        for number in 0..<2000 {
            fixture.pass(.seconds(1))
            try first.put([UInt8(number & 0xFF)], "\(number)")
        }
        try first.flush()
        try first.put([8], "2000")
        #expect(!first.contains("0"))
        let second = try fixture.open(entryLimit: entryLimit)
        second.finishSweeping()
        let pin = try #require(try second.pin("0"))
        let log = try fixture.directory.tree.status(of: "store/index.log").identity
        try first.flush(compacting: true)
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity != log)
        try second.flush()
        #expect(try second.get("0") == [0])
        // It is told once more: to who evicted it, and to who comes later.
        try first.flush()
        #expect(try first.get("0") == [0])
        let third = try fixture.open()
        #expect(try third.get("0") == [0])
        #expect(third.statistics.entries == 2001)
        withExtendedLifetime(pin) {}
    }

    /// The same where the snapshot is of who holds it, and has it among the entries.
    @Test func whatIsPinnedOutlivesASnapshotWithIt() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open(entryLimit: 2000)
        first.finishSweeping()
        for number in 0..<2000 {
            fixture.pass(.seconds(1))
            try first.put([UInt8(number & 0xFF)], "\(number)")
        }
        try first.flush()
        try first.put([8], "2000")
        #expect(!first.contains("0"))
        let second = try fixture.open()
        second.finishSweeping()
        let pin = try #require(try second.pin("0"))
        let log = try fixture.directory.tree.status(of: "store/index.log").identity
        try second.flush(compacting: true)
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity != log)
        try first.flush()
        #expect(try second.get("0") == [0])
        try second.flush()
        try first.flush()
        #expect(try first.get("0") == [0])
        withExtendedLifetime(pin) {}
    }

    /// The same where it is known in a table of which so little is left that it is given up with the snapshot.
    @Test(.tags(.r20f), arguments: [nil, 4000])
    func whatIsPinnedOutlivesATableThatIsGivenUp(entryLimit: Int?) throws {
        let fixture = try StoreFixture(on: .memory)
        func put(_ name: String, _ count: Int, _ store: StoreCore) throws {
            for number in 0..<count {
                fixture.pass(.seconds(1))
                try store.put([UInt8(number & 0xFF)], "\(name)\(number)")
            }
        }
        /// The last of them holds the segment of all.
        let last = "a256"
        do {
            let store = try fixture.open(entryLimit: 1000)
            store.finishSweeping()
            try put("a", 257, store)
            store.end()
        }
        do {
            let store = try fixture.open(entryLimit: 1000)
            store.finishSweeping()
            var pin = try store.pin(last)
            // All others go, and stand in a table of 64 buckets.
            try put("b", 999, store)
            #expect(store.statistics.evictions == 256)
            withExtendedLifetime(pin) {}
            pin = nil
            store.end()
        }
        let first = try fixture.open(entryLimit: 3000)
        first.finishSweeping()
        var held = try first.pin(last)
        try put("c", 2000, first)
        try first.flush()
        // Goes, and so many after it that one finds its bucket full: the table grows.
        try put("d", 1, first)
        let key = try #require((0..<999).map { "b\($0)" }.first { !first.contains($0) })
        try put("e", 99, first)
        let second = try fixture.open(entryLimit: entryLimit)
        second.finishSweeping()
        let pin = try #require(try second.pin(key))
        let value = try #require(try second.get(key))
        // What was evicted first goes with its segment.
        withExtendedLifetime(held) {}
        held = nil
        try first.remove(last)
        first.shrink(by: 1)
        let log = try fixture.directory.tree.status(of: "store/index.log").identity
        try first.flush(compacting: true)
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity != log)
        try second.flush()
        #expect(try second.get(key) == value)
        try first.flush()
        #expect(try first.get(key) == value)
        withExtendedLifetime(pin) {}
    }

    /// Of moves that could not be told: another process moves what is left of the segment, and removes it.
    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a small volume"))
    func whatWasMovedAndCouldNotBeToldOutlivesItsSegment() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try StoreFixture(on: .at(image.path))
        let ballast = image.path.appending("ballast")
        let (copied, marked) = (Once(), Once())
        let first = try fixture.open(
            limit: 4 << 20, heedsPressure: false,
            step: { step in
                if step == .recordCopied { copied.run() }
                if step == .marked, copied.hasRun { marked.run() }
            })
        let second = try fixture.open(limit: 4 << 20, heedsPressure: false)
        first.finishSweeping()
        second.finishSweeping()
        let value = StoreFixture.value(100)
        for number in 0..<1000 {
            try first.put(value, "\(number)", CacheAttributes(as: .lastResort))
        }
        for number in 0..<1000 where number % 3 == 1 { try first.remove("\(number)") }
        try second.flush()
        #expect(try second.get("0") == value)
        copied.set {}
        marked.set { try? Self.fill(ballast) }
        first.shrink(by: 1 << 20, through: .cache)
        #expect(marked.hasRun)
        #expect(first.statistics.evictions == 0)
        #expect(try first.get("0") == value)
        _ = unsafe unlink(ballast.string)
        second.shrink(by: 1 << 20, through: .cache)
        try first.flush()
        try second.flush()
        let wanted = (0..<1000).filter { $0 % 3 != 1 }
        #expect(try wanted.filter { try first.get("\($0)") == nil }.count == 0)
        #expect(wanted.filter { !second.contains("\($0)") }.count == 0)
        let third = try fixture.open(limit: 4 << 20, heedsPressure: false)
        #expect(wanted.filter { !third.contains("\($0)") }.count == 0)
        // What is removed is gone for all.
        for number in wanted.prefix(5) { try second.remove("\(number)") }
        #expect(try wanted.prefix(5).filter { try first.get("\($0)") != nil } == [])
        withExtendedLifetime(image) {}
    }

    /// Who has removed it is killed before that is told; two others have the store open.
    @Test(.enabled(if: Privilege.canMount, "needs root, to mount a small volume"))
    func whatWasMarkedByWhoIsDeadIsGone() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try StoreFixture(on: .at(image.path))
        let ballast = image.path.appending("ballast")
        let keys = (0..<600).map { "\($0)" }
        let second = try fixture.open(limit: 4 << 20, heedsPressure: false)
        let third = try fixture.open(limit: 4 << 20, heedsPressure: false)
        do {
            let marked = Once()
            let first = try fixture.open(
                limit: 4 << 20, heedsPressure: false,
                step: { step in if step == .marked { marked.run() } })
            for store in [first, second, third] { store.finishSweeping() }
            for key in keys { try first.put([1], key, CacheAttributes(tags: ["tag"])) }
            for store in [first, second, third] { try store.flush() }
            marked.set { try? Self.fill(ballast) }
            try first.removeAll(tagged: "tag")
            #expect(marked.hasRun)
            // It is killed.
        }
        _ = unsafe unlink(ballast.string)
        #expect(try second.get("0") == nil)
        #expect(try third.get("0") == nil)
        #expect(!second.contains("0"))
        #expect(!third.contains("0"))
        // Nobody is left who may have marked it and not said so.
        third.end()
        for key in keys.prefix(3) { #expect(try second.get(key) == nil) }
        try second.flush()
        let fourth = try fixture.open(limit: 4 << 20, heedsPressure: false)
        #expect(keys.prefix(3).filter { fourth.contains($0) } == [])
        #expect(fourth.statistics.entries == keys.count - 3)
        withExtendedLifetime(image) {}
    }

    /// A process that has the store to itself is killed when it has moved and told a part of a segment. What it has
    /// moved is removed then, and later the log is lost.
    @Test func whatWasMovedFromHalfASegmentDoesNotComeBack() throws {
        let fixture = try StoreFixture(on: .memory)
        let other = try StoreFixture(on: .memory)
        do { _ = try other.open(limit: 64 << 20) }
        for name in try other.directory.tree.names(in: "store").map(\.text) {
            try other.remove(name)
        }
        let moved = Once()
        let value = StoreFixture.value(100)
        do {
            let first = try fixture.open(
                limit: 64 << 20, step: { step in if step == .recordMoved { moved.run() } })
            first.finishSweeping()
            for number in 0..<2000 {
                try first.put(value, "\(number)", CacheAttributes(as: .lastResort))
            }
            for number in 0..<2000 where number % 5 == 4 { try first.remove("\(number)") }
            try first.flush()
            moved.set {
                // What there is when it is killed.
                for name in ((try? fixture.directory.tree.names(in: "store").map(\.text)) ?? []) {
                    try? other.copy(name, from: fixture)
                }
            }
            first.shrink(by: 4096, through: .cache)
            #expect(moved.hasRun)
        }
        do {
            let second = try other.open(limit: 64 << 20)
            second.finishSweeping()
            #expect(second.statistics.entries == 1600)
            for number in 0..<100 where number % 5 != 4 {
                #expect(try second.remove("\(number)"))
            }
            second.end()
        }
        try other.remove("index.log")
        let third = try other.open(limit: 64 << 20)
        third.finishSweeping()
        #expect(try (0..<100).filter { try third.get("\($0)") != nil } == [])
        #expect(third.statistics.entries == 1520)
    }
}
#endif
