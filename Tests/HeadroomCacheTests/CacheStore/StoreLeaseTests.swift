//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R20: pins and leases")
struct StoreLeaseTests {
    @Test(.tags(.r20f)) func whatIsPinnedStays() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20)
        try store.put(StoreFixture.value(1000, seed: 1), "small")
        try store.put(StoreFixture.value(75_000, seed: 1), "large")
        var pins = [try #require(try store.pin("small")), try #require(try store.pin("large"))]
        #expect(try store.pin("never") == nil)
        fillUp(store, fixture)
        #expect(try store.get("small") == StoreFixture.value(1000, seed: 1))
        #expect(try store.get("large") == StoreFixture.value(75_000, seed: 1))
        // A pin is on the key: what comes in its place is pinned, too.
        try store.put(StoreFixture.value(1000, seed: 2), "small")
        fillUp(store, fixture)
        #expect(try store.get("small") == StoreFixture.value(1000, seed: 2))
        pins.removeAll()
        fillUp(store, fixture)
        #expect(!store.contains("small"))
        #expect(!store.contains("large"))
    }

    /// Whatever stood under the key before, and whether anything did.
    @Test(arguments: ["one", "all", "both sessions"])
    func aPinOutlivesARemoval(_ removal: String) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20)
        let other = removal == "both sessions" ? try fixture.open(limit: 2 << 20) : store
        try store.put([1], "pinned")
        let pin = try #require(try store.pin("pinned"))
        if removal == "all" { try store.removeAll() } else { try other.remove("pinned") }
        #expect(try store.get("pinned") == nil)
        try other.put(StoreFixture.value(1000, seed: 2), "pinned")
        fillUp(store, fixture)
        #expect(try store.get("pinned") == StoreFixture.value(1000, seed: 2))
        withExtendedLifetime(pin) {}
    }

    @Test func anotherProcessLeavesWhatIsPinned() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open(limit: 2 << 20)
        try first.put(StoreFixture.value(1000, seed: 1), "pinned")
        let second = try fixture.open(limit: 2 << 20)
        do {
            let pin = try #require(try first.pin("pinned"))
            fillUp(second, fixture)
            #expect(try first.get("pinned") == StoreFixture.value(1000, seed: 1))
            _ = pin
        }
        fillUp(second, fixture)
        fillUp(second, fixture)
        // Asked again only when nothing else may go.
        second.evictAll()
        #expect(try first.get("pinned") == nil)
    }

    /// What is given up stays until its segment is moved together, and may be pinned until then.
    @Test func whatIsPinnedWhileItsSegmentIsMovedStays() throws {
        let fixture = try StoreFixture(on: .memory)
        let hook = Once()
        let store = try fixture.open(limit: 4 << 20, step: { if $0 == .moveTold { hook.run() } })
        store.finishSweeping()
        let pins = Mutex<[String: StoreLease]>([:])
        hook.set {
            for number in 0..<3000 {
                guard let pin = try? store.pin("\(number)") else { continue }
                pins.withLock { $0["\(number)"] = pin }
            }
        }
        for number in 0..<3000 where !hook.hasRun {
            try store.put(StoreFixture.value(3000), "\(number)")
        }
        let names = pins.withLock { Array($0.keys) }
        #expect(names.count > 10)
        #expect(try names.filter { try store.get($0) == nil } == [])
        withExtendedLifetime(pins) {}
    }

    @Test func aPinHoldsWhenItsStoreIsClosed() throws {
        let fixture = try StoreFixture(on: .memory)
        let pin: StoreLease
        do {
            let store = try fixture.open(limit: 4 << 20)
            store.finishSweeping()
            try store.put(StoreFixture.value(3000), "pinned")
            pin = try #require(try store.pin("pinned"))
            store.end()
        }
        let other = try fixture.open(limit: 4 << 20)
        other.finishSweeping()
        for number in 0..<3000 { try other.put(StoreFixture.value(3000), "\(number)") }
        #expect(try other.get("pinned") != nil)
        withExtendedLifetime(pin) {}
    }

    @Test(arguments: [Double.nan, .infinity, -1, 2, 0])
    func anyShareMayBeAskedFor(share: Double) throws {
        let fixture = try StoreFixture(on: .memory)
        var options = CacheOptions(limit: .mebibytes(4), pinnedShare: share)
        options.heedsPressure = false
        let store = try StoreCore(at: fixture.directory.path.appending("store"), options)
        try store.put([1], "key")
        if share > 0 {
            #expect(try store.pin("key") != nil)
        } else {
            #expect(throws: HeadroomError.self) { try store.pin("key") }
        }
    }

    @Test func pinsHaveABudget() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20)
        var pins: [StoreLease] = []
        for number in 0..<30 {
            try store.put(StoreFixture.value(80_000), "key-\(number)")
            do {
                if let pin = try store.pin("key-\(number)") { pins.append(pin) }
            } catch let error as HeadroomError {
                #expect(error.code == .storeFull)
                #expect(error.message.contains("may be pinned"))
                break
            }
        }
        // Half of it.
        #expect(pins.count == 13)
        pins.removeLast()
        try store.put([1], "one more")
        #expect(try store.pin("one more") != nil)
    }

    @Test func whereAllIsPinnedNothingIsPut() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20, entryLimit: 10)
        var pins: [StoreLease] = []
        for number in 0..<10 {
            try store.put([1], "key-\(number)")
            if let pin = try store.pin("key-\(number)") { pins.append(pin) }
        }
        let error = #expect(throws: HeadroomError.self) { try store.put([1], "key-10") }
        #expect(error?.code == .storeFull)
        #expect(try store.get("key-10") == nil)
        #expect(store.statistics.entries == 10)
        // In place of one that is there it is no more than there was.
        try store.put([2], "key-3")
        #expect(try store.get("key-3") == [2])
        pins.removeLast()
        try store.put([1], "key-10")
        #expect(store.statistics.entries == 10)
    }

    @Test(.tags(.r20f), arguments: [100, 80_000])
    func whatIsReadStaysAsItIs(length: Int) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 2 << 20)
        let value = StoreFixture.value(length, seed: 1)
        try store.put(value, "key")
        do {
            let open = try #require(try store.open("key"))
            #expect(open.length == length)
            let mapped = try open.mapped()
            try store.put(StoreFixture.value(length, seed: 2), "key")
            #expect(try store.get("key") == StoreFixture.value(length, seed: 2))
            try store.remove("key")
            fillUp(store, fixture)
            #expect(try open.read(length, at: 0) == value)
            #expect(try open.read(10, at: length - 5) == Array(value.suffix(5)))
            let bytes = unsafe mapped.withBytes { unsafe Array($0) }
            #expect(bytes == value)
            // It occupies what it does until it is closed.
            #expect(store.statistics.allocated <= 2 << 20)
        }
        #expect(try store.open("key") == nil)
    }

    @Test func aDamagedFileIsNotHandedOut() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.put(StoreFixture.value(80_000, seed: 1), "key")
        try fixture.flip(fixture.names(".value")[0], at: 30_000)
        #expect(try store.open("key") == nil)
        #expect(try fixture.names(".value").isEmpty)
    }

    private func fillUp(_ store: StoreCore, _ fixture: StoreFixture) {
        for number in 0..<80 {
            fixture.pass(.seconds(1))
            try? store.put(StoreFixture.value(30_000), "fill-\(number)")
        }
    }
}

extension StoreCore {
    func pin(_ key: String) throws -> StoreLease? {
        let key = Array(key.utf8)
        return try unsafe pin(key.span.bytes)
    }

    func open(_ key: String) throws -> StoreValue? {
        let key = Array(key.utf8)
        return try unsafe open(key.span.bytes)
    }

    func write(
        _ key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws -> StoreWriter {
        let key = Array(key.utf8)
        return try unsafe write(key.span.bytes, attributes)
    }

    func details(_ key: String) -> StoreDetails? {
        let key = Array(key.utf8)
        return unsafe details(key.span.bytes)
    }

    func evictAll() { shrink(by: 1 << 40) }
}
