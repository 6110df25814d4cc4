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

/// Somebody removes what is in a store's directory, and another process makes a new one there, while the first has
/// the old one open.
@Suite("R20: a store that is made anew under somebody")
struct StoreMadeAnewTests {
    /// Whoever had the store open when its files were removed finds another one in their place.
    @Test func aStoreThatWasMadeAnewIsLeftAlone() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        try first.put([1], "key")
        try first.put(StoreFixture.value(80_000), "large")
        try first.flush()
        try fixture.remove("store")
        let second = try fixture.open()
        second.finishSweeping()
        #expect(try second.get("key") == [1])
        // Each finds keys by hashes of its own.
        for value in [[2], StoreFixture.value(80_000, seed: 2)] as [[UInt8]] {
            let error = #expect(throws: HeadroomError.self) { try first.put(value, "key") }
            #expect(error?.message.contains("Open it again") == true)
        }
        #expect(try first.get("key") == nil)
        #expect(try !first.remove("key"))
        #expect(throws: HeadroomError.self) { try first.removeAll() }
        first.shrink(by: 1 << 40)
        first.end()
        #expect(try second.get("key") == [1])
        #expect(try second.get("large") == StoreFixture.value(80_000))
        try second.put([3], "key")
        let third = try fixture.open()
        third.finishSweeping()
        #expect(try third.get("key") == [3])
        #expect(third.statistics.entries == 2)
        #expect(try fixture.names(".value").count == 1)
    }

    /// The same, while the other is being made.
    @Test(arguments: [TemporaryDirectory.Base.disk, .memory])
    func whoWritesWhileTheStoreIsMadeAnewHasNoPartInIt(_ base: TemporaryDirectory.Base) throws {
        for _ in 0..<30 {
            let fixture = try StoreFixture(on: base)
            let first = try fixture.open()
            first.finishSweeping()
            try first.put([1], "key")
            try first.flush()
            let isOver = Atomic(false)
            let writing = try WorkerThread {
                while !isOver.load(ordering: .acquiring) { try? first.flush() }
            }
            try fixture.remove("store")
            let second = try fixture.open()
            isOver.store(true, ordering: .releasing)
            writing.join()
            second.finishSweeping()
            #expect(throws: HeadroomError.self) { try first.put([2], "key") }
            #expect(try second.get("key") == [1])
            #expect(try fixture.open().get("key") == [1])
        }
    }

    private func removeAllFiles(_ fixture: StoreFixture) throws {
        for name in try fixture.directory.tree.names(in: "store").map(\.text) {
            try fixture.remove(name)
        }
    }

    /// Whoever was putting takes back what it has written: not from the new files.
    @Test func whoIsLeftBehindMarksNothingInTheNewStore() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        try first.put([1], "a")
        try removeAllFiles(fixture)
        let second = try fixture.open()
        second.finishSweeping()
        for name in ["b", "c", "d"] { try second.put([2], name) }
        #expect(throws: HeadroomError.self) { try first.put([1], "e") }
        for name in ["b", "c", "d"] { #expect(try second.get(name) == [2], "\(name)") }
    }

    @Test func whoIsLeftBehindRemovesNoFileByOpening() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        try first.put(StoreFixture.value(100_000), "a")
        try removeAllFiles(fixture)
        let second = try fixture.open()
        second.finishSweeping()
        try second.put(StoreFixture.value(100_000), "b")
        let key = Array("a".utf8)
        #expect(unsafe try first.open(key.span.bytes) == nil)
        #expect(try second.get("b") != nil)
    }

    @Test func whoIsLeftBehindRemovesNoFileByGivingUp() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        let key = Array("a".utf8)
        let bytes = StoreFixture.value(100_000)
        let writer = unsafe try first.write(key.span.bytes)
        unsafe try writer.append(bytes.span.bytes)
        try removeAllFiles(fixture)
        let second = try fixture.open()
        second.finishSweeping()
        try second.put(StoreFixture.value(100_000), "b")
        writer.cancel()
        #expect(try second.get("b") != nil)
    }

    /// What was asked before another store was there must not meet one of its files by its number.
    @Test func numbersDoNotComeAgain() throws {
        var names: Set<String> = []
        for _ in 0..<4 {
            let fixture = try StoreFixture(on: .memory)
            let store = try fixture.open()
            store.finishSweeping()
            try store.put([1], "small")
            try store.put(StoreFixture.value(100_000), "large")
            names.formUnion(try fixture.names(".segment") + fixture.names(".value"))
            store.end()
            // And go on from there.
            let again = try fixture.open()
            again.finishSweeping()
            try again.put([2], "small")
            try again.put(StoreFixture.value(100_000), "larger")
            names.formUnion(try fixture.names(".segment") + fixture.names(".value"))
            #expect(try again.get("large") != nil)
            #expect(try again.get("small") == [2])
        }
        #expect(names.count == 16)
    }

    /// What is told to a log of which nobody has said whose it is.
    @Test func whatIsToldToALogOfNobodyIsNotTheNewStores() throws {
        let fixture = try StoreFixture(on: .memory)
        let once = Once()
        let first = try fixture.open(step: { step in if step == .logAppended { once.run() } })
        first.finishSweeping()
        let value = StoreFixture.value(100_000)
        for name in ["a", "b", "c"] { try first.put(value, name) }
        try fixture.remove("store")
        try fixture.remove("index.log")
        let found = Mutex<StoreCore?>(nil)
        once.set {
            let store = try? fixture.open()
            found.withLock { $0 = store }
        }
        try? first.flush()
        let second = try #require(found.withLock { $0 })
        second.finishSweeping()
        #expect(second.statistics.entries == 3)
        for name in ["a", "b", "c"] { #expect(try second.get(name) == value, "\(name)") }
    }

    /// Where the log and the values are lost, and the store is not.
    @Test func numbersOfSessionsAreNotGivenAgain() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            store.finishSweeping()
            try store.put(StoreFixture.value(100_000), "a")
            store.end()
        }
        let first = try fixture.open()
        first.finishSweeping()
        for name in try fixture.directory.tree.names(in: "store").map(\.text)
        where name != "store" {
            try fixture.remove(name)
        }
        let second = try fixture.open()
        second.finishSweeping()
        try second.put(StoreFixture.value(100_000), "b")
        let key = Array("a".utf8)
        #expect(unsafe try first.open(key.span.bytes) == nil)
        #expect(try second.get("b") != nil)
    }

    /// Who has the old store open puts a large value, once: the put fails, and its file stays in the new store.
    @Test(arguments: [false, true])
    func whatWhoIsLeftBehindCouldNotPutIsNotFound(isStream: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        first.finishSweeping()
        try first.put(StoreFixture.value(100_000), "other")
        try first.flush()
        for name in try fixture.directory.tree.names(in: "store").map(\.text) {
            try fixture.remove(name)
        }
        do {
            let second = try fixture.open()
            second.finishSweeping()
            try second.put([2], "key")
            #expect(throws: HeadroomError.self) {
                let value = StoreFixture.value(100_000, seed: 1)
                if isStream {
                    let key = Array("key".utf8)
                    let writer = unsafe try first.write(key.span.bytes)
                    try unsafe writer.append(value.span.bytes)
                    try writer.commit()
                } else {
                    try first.put(value, "key")
                }
            }
            #expect(try second.get("key") == [2])
            try second.remove("key")
            #expect(try second.get("key") == nil)
            second.end()
        }
        let third = try fixture.open()
        third.finishSweeping()
        #expect(try third.get("key") == nil)
        #expect(try fixture.names(".value") == [])
    }
}
