//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R20: what is known of tags where the log was cut off or damaged")
struct StoreTagLossTests {
    /// A large value with a tag that is put while a snapshot is written: in that, and its tag behind it.
    @Test func aTagThatIsPutWhileASnapshotIsWrittenIsKnown() throws {
        let fixture = try StoreFixture(on: .memory)
        let keys = (0..<40).map { "tagged-\($0)" }
        do {
            let once = Once()
            let isOpen = Atomic(false)
            let first = try fixture.open(
                limit: 256 << 20, step: { step in if step == .logAppended { once.run() } })
            first.finishSweeping()
            for number in 0..<120_000 { try first.put([1], "small-\(number)") }
            // Files of so many bytes may be written without a word.
            try first.put(StoreFixture.value(70_000), "large")
            try first.flush(compacting: true)
            for number in 0..<4_000 { try first.put([2], "small-\(number)") }
            let value = StoreFixture.value(70_000)
            let thread = try WorkerThread {
                while !isOpen.load(ordering: .acquiring) {}
                for key in keys { try? first.put(value, key, CacheAttributes(tags: ["tag"])) }
            }
            once.set { isOpen.store(true, ordering: .releasing) }
            try first.flush(compacting: true)
            thread.join()
            // It is killed.
        }
        let second = try fixture.open(limit: 256 << 20)
        second.finishSweeping()
        let there = keys.filter { second.contains($0) }
        #expect(there.count == keys.count)
        #expect(try second.removeAll(tagged: "tag") == there.count)
        #expect(keys.filter { second.contains($0) } == [])
    }

    /// What the log says of the tag of a large value is broken, and what it says of the value is not.
    @Test(arguments: [100, 100_000])
    func aTagOfWhichTheRecordIsBrokenIsFound(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let first = try fixture.open()
            first.finishSweeping()
            try first.put(StoreFixture.value(length), "key", CacheAttributes(tags: ["tag"]))
            first.end()
        }
        let directory = try StateDirectory(
            opening: fixture.directory.path.appending("store"))
        let log = try RegularFile("index.log", in: directory, .reading)
        let bytes = try log.read(Int(log.size()), at: 0)
        let magic: [UInt8] = [0xB5, 0x48, 0x52, 0xE9]
        let found = (0..<bytes.count - 40).first { start in
            bytes[start..<start + 4].elementsEqual(magic) && bytes[start + 11] == 13
        }
        let place = try #require(found)
        try fixture.flip("index.log", at: UInt64(place + 22))
        let second = try fixture.open()
        second.finishSweeping()
        #expect(try second.get("key") != nil)
        #expect(try second.removeAll(tagged: "tag") == 1)
        #expect(try second.get("key") == nil)
    }
}
