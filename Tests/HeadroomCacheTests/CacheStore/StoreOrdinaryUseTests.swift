//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What threads count together.
private final class Counter: Sendable {
    private let value = Atomic(0)
    @discardableResult
    func add() -> Int { value.add(1, ordering: .acquiringAndReleasing).newValue }
    var count: Int { value.load(ordering: .acquiring) }
}

@Suite("R20: what an app meets in ordinary use")
struct StoreOrdinaryUseTests {
    /// A record that was packed under a larger limit is longer than a segment of the smaller one.
    @Test(arguments: ["put", "shrink", "compact"])
    func whatNoSegmentHoldsAnyMoreIsNotMovedForEver(by way: String) throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open(limit: 64 << 20)
            store.finishSweeping()
            for number in 0..<32 { try store.put(StoreFixture.value(65_536), "key-\(number)") }
            store.end()
        }
        let made = Counter()
        let path = fixture.directory.path.appending("store")
        let store = try fixture.open(
            limit: 4 << 20,
            step: { step in
                guard step == .segmentMade, made.add() > 500 else { return }
                // For ever, lest the disk gets full.
                while true { Pause.milliseconds(100) }
            })
        store.finishSweeping()
        for number in 0..<32 where number % 2 == 0 { try store.remove("key-\(number)") }
        if way == "compact" { store.end() }
        let done = Flag()
        let thread = try WorkerThread {
            switch way {
            case "put":
                for number in 0..<60 {
                    try? store.put(StoreFixture.value(50_000), "new-\(number)")
                }
            case "shrink": store.shrink(by: 700 << 10)
            default: _ = try? CacheCompaction.compact(path)
            }
            done.set()
        }
        var waited = 0
        while !done.isSet, made.count <= 500, waited < 60_000 {
            Pause.milliseconds(1)
            waited += 1
        }
        let files = try fixture.names(".segment").count
        #expect(done.isSet, "\(made.count) segments, \(files) files")
        if done.isSet {
            thread.join()
        } else {
            thread.detach()
        }
    }

    /// Whoever was once asked for by another process is asked again.
    @Test func whatAnotherHeldOnceMayGoWhenItIsLetGo() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open(entryLimit: 10)
        for number in 0..<10 { try first.put([1], "key-\(number)") }
        let second = try fixture.open(entryLimit: 10)
        first.finishSweeping()
        second.finishSweeping()
        var pins = try (0..<10).compactMap { try second.pin("key-\($0)") }
        #expect(pins.count == 10)
        #expect(throws: HeadroomError.self) { try first.put([2], "new") }
        pins = []
        for number in 0..<5 {
            #expect(throws: Never.self) { try first.put([2], "new-\(number)") }
        }
        #expect(try first.get("new-4") == [2])
    }

    /// It is pinned, and there all the while.
    @Test func whatIsMovedIsKnownAllTheWhile() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 2 << 20)
        store.finishSweeping()
        try store.put([1], "pinned", CacheAttributes(metadata: [1, 2, 3]))
        let pin = try #require(try store.pin("pinned"))
        let end = Flag()
        let missing = Counter()
        let looked = Counter()
        let thread = try WorkerThread {
            while !end.isSet {
                looked.add()
                if store.details("pinned") == nil { missing.add() }
            }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<60_000 where missing.count == 0 {
            let key = Int.random(in: 0..<700, using: &generator)
            try store.put(StoreFixture.value(2000), "key-\(key)")
        }
        end.set()
        thread.join()
        #expect(missing.count == 0, "of \(looked.count), \(store.statistics.moved) moved")
        withExtendedLifetime(pin) {}
    }

    @Test func allEntriesAreToldOf() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        let second = try fixture.open()
        first.finishSweeping()
        second.finishSweeping()
        for number in 0..<300 { try first.put([1], "key-\(number)") }
        let found = Counter()
        second.forEachEntry { _ in found.add() }
        #expect(found.count == 300)
    }

    @Test func whatHasExpiredIsNotThere() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        try store.put([1], "key", CacheAttributes(lifetime: .seconds(10)))
        fixture.pass(.seconds(20))
        #expect(store.details("key") == nil)
        let found = Counter()
        store.forEachEntry { _ in found.add() }
        #expect(found.count == 0)
        #expect(try store.pin("key") == nil)
    }

    @Test func whatHasExpiredWasNotThereWhenItIsRemoved() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        try store.put([1], "key", CacheAttributes(lifetime: .seconds(10)))
        fixture.pass(.seconds(20))
        #expect(try store.remove("key") == false)
    }

    @Test func aStoreThatIsOpenedWithALowerLimitKeepsIt() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open(limit: 64 << 20)
            for number in 0..<400 { try store.put(StoreFixture.value(100_000), "key-\(number)") }
            store.end()
        }
        let store = try fixture.open(limit: 16 << 20)
        store.finishSweeping()
        for number in 0..<400 { _ = try store.get("key-\(number)") }
        #expect(store.statistics.allocated <= 16 << 20)
    }

    @Test func aStoreThatIsOpenedWithALowerEntryLimitKeepsIt() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            for number in 0..<400 { try store.put([1], "key-\(number)") }
            store.end()
        }
        let store = try fixture.open(entryLimit: 100)
        store.finishSweeping()
        for number in 300..<400 { try store.put([2], "key-\(number)") }
        #expect(store.statistics.entries <= 100)
    }

    @Test func whatIsPutUnderAPinnedKeyIsWithinTheBudget() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 4 << 20)
        store.finishSweeping()
        var pins: [StoreLease] = []
        for number in 0..<40 {
            try store.put([1], "key-\(number)")
            pins.append(try #require(try store.pin("key-\(number)")))
        }
        for number in 0..<40 { try? store.put(StoreFixture.value(100_000), "key-\(number)") }
        var pinned = 0
        store.forEachEntry { if $0.isPinned { pinned += Int($0.length) } }
        #expect(pinned <= 2 << 20)
        // Half of it is for all others.
        #expect(throws: Never.self) { try store.put(StoreFixture.value(1_000_000), "other") }
        withExtendedLifetime(pins) {}
    }

    @Test(arguments: [1000, 100_000])
    func aLifetimeBeginsWhenItIsPut(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        let value = StoreFixture.value(length)
        let writer = try store.write("key", CacheAttributes(lifetime: .seconds(60)))
        unsafe try writer.append(value.span.bytes)
        // It comes slowly.
        fixture.pass(.seconds(90))
        try writer.commit()
        #expect(try store.get("key") == value)
    }

    /// Somebody has taken the right to write to the directory away.
    @Test(
        .enabled(if: User.isRoot, "needs root, to be somebody else on one thread"),
        arguments: ["remove", "replace", "all", "tag", "packed"])
    func whatCannotBeUnlinkedDoesNotComeBack(by way: String) throws {
        let fixture = try StoreFixture()
        let path = fixture.directory.path.appending("store").string
        let user: UInt32 = 65_534
        try #require(unsafe chown(fixture.directory.path.string, user, user) == 0)
        let symbol = unsafe dlsym(nil, "setfsuid")
        typealias Call = @convention(c) (UInt32) -> Int32
        let call = try #require(unsafe symbol.map { unsafe unsafeBitCast($0, to: Call.self) })
        let told = Mutex<[String]>([])
        let thread = try WorkerThread {
            _ = call(user)
            func tell(_ text: String) { told.withLock { $0.append(text) } }
            do {
                let isPacked = way == "packed"
                let old = StoreFixture.value(isPacked ? 1000 : 100_000)
                var isDone = true
                do {
                    let store = try fixture.open()
                    store.finishSweeping()
                    try store.put(old, "key", CacheAttributes(tags: ["tag"]))
                    if isPacked {
                        try store.close()
                        store.releaseMemory()
                    } else {
                        try store.put([9], "small")
                    }
                    let other = try fixture.open()
                    other.finishSweeping()
                    if try other.get("key") != old { tell("not there") }
                    if isPacked {
                        for name in try fixture.names(".segment") {
                            _ = unsafe chmod(path + "/" + name, 0o444)
                        }
                    }
                    _ = unsafe chmod(path, 0o555)
                    do {
                        switch way {
                        case "remove", "packed": try store.remove("key")
                        case "replace": try store.put([2], "key")
                        case "all": try store.removeAll()
                        default: _ = try store.removeAll(tagged: "tag")
                        }
                    } catch {
                        isDone = false
                    }
                    _ = unsafe chmod(path, 0o755)
                    if isDone, try other.get("key") == old {
                        tell("another process finds the old value")
                    }
                    store.end()
                    other.end()
                }
                if isDone {
                    let again = try fixture.open()
                    again.finishSweeping()
                    if try again.get("key") == old { tell("the old value is back") }
                    again.end()
                }
            } catch {
                tell("\(error)")
            }
        }
        thread.join()
        #expect(told.withLock { $0 } == [])
    }
}
#endif
