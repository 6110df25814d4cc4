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
import Synchronization
import SystemPackage
import Testing

/// A volume without room, a process without descriptors, a clock that goes back, and the like.
@Suite("R20: a cache store that has it hard")
struct StoreHardshipTests {
    /// Whatever fails to be written, what is found is right, and there is room again afterwards.
    @Test(
        .enabled(if: Privilege.canMount, "needs root and tmpfs"),
        arguments: [CacheDurability.none, .batched, .full], [nil, 60])
    func aVolumeThatIsFull(durability: CacheDurability, entryLimit: Int?) throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(3))
        let path = image.path.appending("store")
        var options = CacheOptions(
            limit: .mebibytes(64), entryLimit: entryLimit, durability: durability)
        options.heedsPressure = false
        let stores = try (0..<2).map { _ in try StoreCore(at: path, options) }
        var random = SeededGenerator(seed: 8)
        var last: [Int: [UInt8]] = [:]
        for number in 0..<1500 {
            // Somebody else fills the volume, to the last page, and gives it back.
            if number % 100 == 50 { try Self.fill(image.path.appending("ballast")) }
            if number % 100 == 90 { _ = unsafe unlink(image.path.appending("ballast").string) }
            let key = Int.random(in: 0..<200, using: &random)
            let store = stores[number % 2]
            let isLarge = Int.random(in: 0..<6, using: &random) == 0
            let value = SharedVersions.value(key, UInt64(number), isLarge ? 75_000 : 3000)
            do {
                if number % 7 == 0 {
                    try Self.stream(value, "key-\(key)", store)
                } else {
                    try store.put(value, "key-\(key)")
                }
                last[key] = value
            } catch let error as HeadroomError {
                #expect(error.code == .noSpace || error.code == .storeFull, "\(error)")
                // What was there before is still there, or gone to make room; or it is there after all.
                if let found = try store.get("key-\(key)") { last[key] = found }
            }
            let other = Int.random(in: 0..<200, using: &random)
            if let found = try stores[(number + 1) % 2].get("key-\(other)") {
                #expect(found == last[other], "\(number): key-\(other)")
            }
        }
        _ = unsafe unlink(image.path.appending("ballast").string)
        for store in stores { store.end() }
        let again = try StoreCore(at: path, options)
        again.finishSweeping()
        var found = 0
        for (key, value) in last {
            guard let there = try again.get("key-\(key)") else { continue }
            #expect(there == value)
            found += 1
        }
        #expect(found > 5)
        try again.put([1, 2, 3], "after")
        #expect(try again.get("after") == [1, 2, 3])
        // Nothing is left that is being written for ever.
        try again.removeAll()
        #expect(again.statistics.entries == 0)
        #expect(again.statistics.allocated < 2 << 20)
    }

    /// Bytes of the limit that were taken for what could not be said in the log, for want of a page.
    @Test(.enabled(if: Privilege.canMount, "needs root and tmpfs"), arguments: [2_000, 100_000])
    func whatTheLogHadNoRoomForDoesNotCount(length: Int) throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(3))
        var options = CacheOptions(limit: .mebibytes(64), entryLimit: nil)
        options.heedsPressure = false
        let store = try StoreCore(at: image.path.appending("store"), options)
        try Self.fill(image.path.appending("ballast"))
        var failures = 0
        for number in 0..<400 {
            do {
                try store.put(StoreFixture.value(length), "key-\(number)")
            } catch let error as HeadroomError {
                #expect(error.code == .noSpace || error.code == .storeFull, "\(error)")
                failures += 1
            }
        }
        #expect(failures > 300)
        _ = unsafe unlink(image.path.appending("ballast").string)
        try store.removeAll()
        #expect(store.statistics.allocated < 4 << 20)
        store.end()
    }

    private static func fill(_ path: FilePath) throws {
        let file = unsafe Glibc.open(path.string, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 4096)
        while unsafe Glibc.write(file, block, block.count) > 0 {}
    }

    private static func stream(_ value: [UInt8], _ key: String, _ store: StoreCore) throws {
        let name = Array(key.utf8)
        let writer = unsafe try store.write(name.span.bytes)
        unsafe try writer.append(value.span.bytes)
        try writer.commit()
    }

    @Test func aClockThatIsSetBackByAYear() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            for key in 0..<50 {
                try store.put([1], "key-\(key)", CacheAttributes(lifetime: .seconds(3600)))
            }
        }
        fixture.pass(.seconds(-365 * 86400))
        let first = try fixture.open()
        let second = try fixture.open()
        for key in 0..<50 {
            try (key % 2 == 0 ? first : second).put([2], "key-\(key)")
            #expect(try (key % 2 == 0 ? second : first).get("key-\(key)") == [2])
        }
        first.end()
        second.end()
        // By sequence numbers alone, which go on though the clock does not.
        try fixture.remove("index.log")
        let again = try fixture.open()
        again.finishSweeping()
        for key in 0..<50 { #expect(try again.get("key-\(key)") == [2]) }
    }

    /// What was put since, with the clock behind, is newer than what a log from before knows of.
    @Test func anOlderLogAfterTheClockWasSetBack() throws {
        let fixture = try StoreFixture()
        let kept = try StoreFixture()
        try kept.open().end()
        do {
            // Told, in a segment that is closed; and then it dies.
            let store = try fixture.open()
            store.finishSweeping()
            for key in 0..<50 { try store.put([1], "key-\(key)") }
            try store.close()
        }
        try kept.copy("index.log", from: fixture)
        fixture.pass(.seconds(-365 * 86400))
        let store = try fixture.open()
        for key in 0..<50 { try store.put([2], "key-\(key)") }
        store.end()
        try fixture.copy("index.log", from: kept)
        let again = try fixture.open()
        again.finishSweeping()
        for key in 0..<50 { #expect(try again.get("key-\(key)") == [2]) }
    }

    /// Each has found the same records; neither takes away what the other tells of them.
    @Test(arguments: [3_000, 30_000])
    func whoEndsWhileTheLogIsLostTakesNothingAway(patience: UInt32) throws {
        for round in 0..<(Privilege.isSoak ? 2_000 : 80) {
            let fixture = try StoreFixture(on: .memory)
            let early = try fixture.open()
            for key in 0..<50 { try early.put([1], "key-\(key)") }
            let pause = UInt32.random(in: 0...patience)
            let thread = try WorkerThread {
                usleep(pause)
                early.end()
            }
            let later = try fixture.open()
            for key in 0..<50 { try later.put([2], "key-\(key)") }
            later.end()
            try fixture.remove("index.log")
            let again = try fixture.open()
            again.finishSweeping()
            let lost = try (0..<50).compactMap { key -> String? in
                let value = try again.get("key-\(key)")
                return value == [2] ? nil : "\(key): \(String(describing: value))"
            }
            thread.join()
            #expect(lost == [], "round \(round), after \(pause) microseconds")
        }
    }

    @Test func twoLimitsAtOnce() throws {
        let fixture = try StoreFixture()
        let large = try fixture.open(limit: 16 << 20)
        let small = try fixture.open(limit: 2 << 20)
        for number in 0..<2000 {
            try large.put(StoreFixture.value(5000), "large-\(number)")
            if number % 10 == 0 { try small.put(StoreFixture.value(5000), "small-\(number)") }
            if number % 100 == 0 { #expect(try fixture.occupied() <= 16 << 20) }
        }
        // Who has the smaller one keeps it when it makes room.
        for number in 0..<200 { try small.put(StoreFixture.value(5000), "last-\(number)") }
        #expect(try small.get("last-199") == StoreFixture.value(5000))
        #expect(try large.get("last-199") == StoreFixture.value(5000))
    }

    /// Neither the log nor the directory, nor threads or descriptors, grow with it.
    @Test func opensAndClosesWithoutEnd() throws {
        let fixture = try StoreFixture(on: .memory)
        let before = OpenDescriptors.count(below: fixture.directory.path.string)
        for number in 0..<(Privilege.isSoak ? 10_000 : 600) {
            let store = try fixture.open()
            if number % 3 == 0 { try store.put([UInt8(number & 255)], "key-\(number % 10)") }
            // Every second one dies.
            if number % 2 == 0 { store.end() } else { store.finishSweeping() }
        }
        #expect(OpenDescriptors.count(below: fixture.directory.path.string) <= before + 2)
        let log = try fixture.directory.tree.status(of: "store/index.log")
        #expect(log.logicalSize.bytes < 600 << 10)
        // Each has left a segment with a record or two: they were moved together.
        #expect(try fixture.directory.tree.names(in: "store").count < 60)
        #expect(try fixture.open().get("key-9") != nil)
    }

    /// Programs that are started for each job, and put something new each time.
    @Test func manyWhoPutLittleDoNotLeaveAFileEach() throws {
        let fixture = try StoreFixture()
        for number in 0..<300 {
            let store = try fixture.open()
            let value = StoreFixture.value(200, seed: UInt8(number & 255))
            let isLasting = number % 10 == 0
            try store.put(
                value, "key-\(number)", CacheAttributes(as: isLasting ? .lastResort : .cache))
            if number % 2 == 0 { store.end() }
        }
        #expect(try fixture.names(".segment").count < 40)
        let store = try fixture.open()
        for number in 0..<300 {
            let value = StoreFixture.value(200, seed: UInt8(number & 255))
            #expect(try store.get("key-\(number)") == value)
        }
    }
}
#endif
