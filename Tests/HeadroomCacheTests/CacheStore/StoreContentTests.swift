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

@Suite("R20: streams, tags and what is known of an entry")
struct StoreContentTests {
    @Test(arguments: [0, 100, 64 << 10, (64 << 10) + 1, 200_000])
    func aValueMayComeBitByBit(length: Int) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let value = StoreFixture.value(length, seed: 3)
        try store.put([1], "key")
        let writer = try store.write("key", CacheAttributes(tags: ["t"]))
        for start in stride(from: 0, to: length, by: 7001) {
            let part = Array(value[start..<min(length, start + 7001)])
            try unsafe writer.append(part.span.bytes)
            // Not before it is whole.
            #expect(try store.get("key") == [1])
        }
        try writer.commit()
        #expect(try store.get("key") == value)
        #expect(store.details("key")?.tags == ["t"])
        #expect(throws: HeadroomError.self) { try unsafe writer.append(value.span.bytes) }
        #expect(try fixture.open().get("key") == value)
    }

    @Test func whatIsNotCommittedIsNotThere() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20)
        do {
            let writer = try store.write("key")
            let part = StoreFixture.value(100_000)
            try unsafe writer.append(part.span.bytes)
            #expect(try fixture.names(".value").count == 1)
        }
        #expect(try store.get("key") == nil)
        #expect(try fixture.names(".value").isEmpty)
        let writer = try store.write("key")
        let part = StoreFixture.value(100_000)
        #expect(throws: HeadroomError.self) {
            for _ in 0..<20 { try unsafe writer.append(part.span.bytes) }
        }
        #expect(try fixture.names(".value").isEmpty)
        // And it costs nothing of the limit.
        for number in 0..<17 { try store.put(part, "key-\(number)") }
        #expect(store.statistics.evictions == 0)
    }

    /// Nobody is to take it for put.
    @Test(arguments: [100, 100_000])
    func whatWasGivenUpCannotBeCommitted(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 2 << 20)
        let part = StoreFixture.value(length)
        let cancelled = try store.write("cancelled")
        try unsafe cancelled.append(part.span.bytes)
        cancelled.cancel()
        #expect(throws: HeadroomError.self) { try cancelled.commit() }
        let failed = try store.write("failed")
        #expect(throws: HeadroomError.self) {
            for _ in 0..<20_000 { try unsafe failed.append(part.span.bytes) }
        }
        #expect(throws: HeadroomError.self) { try failed.commit() }
        #expect(store.statistics.entries == 0)
        // What was put stays put.
        let done = try store.write("done")
        try unsafe done.append(part.span.bytes)
        try done.commit()
        try done.commit()
        done.cancel()
        try done.commit()
        #expect(try store.get("done") == part)
    }

    @Test func tagsOfWhatIsGoneAreForgotten() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(entryLimit: 500)
        for number in 0..<30_000 {
            try store.put([1], "key-\(number)", CacheAttributes(tags: ["all", "\(number % 7)"]))
        }
        #expect(store.indexMemory < 250_000, "\(store.indexMemory)")
        #expect(try store.removeAll(tagged: "3") > 50)
        #expect(try store.removeAll(tagged: "all") > 350)
        #expect(store.statistics.entries == 0)
    }

    @Test func valuesAreRemovedByTheirTags() throws {
        let fixture = try StoreFixture()
        func fill(_ store: StoreCore) throws {
            for number in 0..<60 {
                let tags = number % 3 == 0 ? ["three", "all"] : ["all"]
                try store.put(
                    StoreFixture.value(number % 10 == 0 ? 70_000 : 100), "key-\(number)",
                    CacheAttributes(metadata: [9], tags: tags))
            }
            // Not any more.
            try store.put([1], "key-3")
            try store.put([1], "other")
        }
        func check(_ store: StoreCore) throws {
            #expect(store.details("key-6")?.tags == ["three", "all"])
            #expect(store.details("key-6")?.metadata == [9])
            #expect(try store.removeAll(tagged: "three") == 19)
            #expect(store.contains("key-3"))
            #expect(!store.contains("key-6"))
            #expect(store.contains("key-7"))
            #expect(try store.removeAll(tagged: "three") == 0)
            #expect(try store.removeAll(tagged: "never") == 0)
            #expect(try store.removeAll(tagged: "all") == 40)
            #expect(store.statistics.entries == 2)
        }
        var store = try fixture.open()
        try fill(store)
        try check(store)
        // By the log, by a snapshot of it, by the ends of the segments, and by the files alone.
        for way in 0..<4 {
            try fill(store)
            if way == 0 { try store.flush() }
            if way == 1 { try store.flush(compacting: true) }
            if way == 3 { store.end() }
            store = try fixture.open()
            if way == 3 {
                try fixture.remove("index.log")
                store = try fixture.open()
                store.finishSweeping()
            }
            try check(store)
        }
    }

    @Test(.tags(.r20a)) func whatIsKnownOfAnEntry() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let attributes = CacheAttributes(
            as: .lastResort, lifetime: .seconds(60), cost: .milliseconds(250), importance: 7,
            metadata: [1, 2, 3])
        for length in [10, 70_000] {
            try store.put(StoreFixture.value(length), "key", attributes)
            let details = try #require(store.details("key"))
            #expect(details.key == Array("key".utf8))
            #expect(details.length == length)
            #expect(details.purgeClass == .lastResort)
            #expect(details.importance == 7)
            #expect(details.metadata == [1, 2, 3])
            #expect(details.cost > .milliseconds(225) && details.cost < .milliseconds(275))
            #expect(details.isFile == (length > 10))
            let lifetime = try #require(details.expiry).nanoseconds - details.created.nanoseconds
            #expect(abs(lifetime - 60_000_000_000) < 100_000_000)
        }
        #expect(store.details("other") == nil)
        fixture.pass(.seconds(61))
        #expect(store.details("key") == nil)
    }

    @Test func everythingCanBeRemoved() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let other = try fixture.open()
        for number in 0..<500 {
            let writer = number % 2 == 0 ? store : other
            try writer.put(
                StoreFixture.value(number % 50 == 0 ? 70_000 : 500), "key-\(number)")
        }
        try store.removeAll()
        #expect(store.statistics.entries == 0)
        for number in 0..<500 {
            #expect(try other.get("key-\(number)") == nil)
            #expect(try store.get("key-\(number)") == nil)
        }
        #expect(try fixture.names(".value").isEmpty)
        try other.put([1], "key")
        #expect(try store.get("key") == [1])
        // Nor do the files bring it back.
        try fixture.remove("index.log")
        let last = try fixture.open()
        last.finishSweeping()
        for number in 0..<500 { #expect(try last.get("key-\(number)") == nil) }
    }

    @Test func whatWasUsedIsRememberedThoughTheProcessDies() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open(entryLimit: 2000)
            for number in 0..<2000 { try store.put([1], "key-\(number)") }
            try store.flush()
            fixture.pass(.seconds(3600))
            for number in 0..<1500 { _ = try store.get("key-\(number)") }
        }
        let store = try fixture.open(entryLimit: 2000)
        for number in 0..<700 { try store.put([2], "new-\(number)") }
        // At least what was used first, and told, has outlived what was not used at all.
        for number in 0..<1000 { #expect(store.contains("key-\(number)")) }
        #expect((1000..<2000).filter { store.contains("key-\($0)") }.count == 300)
    }
}
