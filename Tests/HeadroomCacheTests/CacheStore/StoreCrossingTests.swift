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

/// A process that opens the store reads what others have written and not told yet.
@Suite("R20: a store that is opened while others put something")
struct StoreCrossingTests {
    private static func old(_ length: Int) -> [UInt8] { StoreFixture.value(length, seed: 1) }
    private static func crossed(_ length: Int) -> [UInt8] { StoreFixture.value(length, seed: 2) }
    private static func new(_ length: Int) -> [UInt8] { StoreFixture.value(length, seed: 3) }

    /// Who has found a value that is under way, and removes it, removes the one before it too.
    @Test(arguments: [100, 75_000])
    func whatIsRemovedMeanwhileIsNotFoundInAnOlderVersion(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let reader = try fixture.open()
        try reader.put(Self.old(length), "key")
        let meanwhile = Meanwhile()
        let writer = try fixture.open(meanwhile)
        let stores = Mutex<[StoreCore]>([reader, writer])
        try meanwhile.happens {
            let opener = try fixture.open()
            try opener.remove("key")
            stores.withLock { $0.append(opener) }
            #expect(try opener.get("key") == nil)
            #expect(try reader.get("key") == nil)
            #expect(try fixture.open().get("key") == nil)
        } during: {
            try writer.put(Self.crossed(length), "key")
        }
        for store in stores.withLock({ $0 }) {
            #expect(try store.get("key") == nil)
            store.end()
        }
        // Nor by who has to look into the files.
        try fixture.remove("index.log")
        let last = try fixture.open()
        last.finishSweeping()
        #expect(try last.get("key") == nil)
    }

    /// A process that had the store for itself has put a value, and told nobody: whoever comes finds it, and
    /// removes it. Nothing is left of it that a get would have to wait for.
    @Test(arguments: [100, 75_000], [false, true])
    func whatIsRemovedBeforeItIsToldIsNoEntry(length: Int, isNewFile: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let meanwhile = Meanwhile()
        let writer = try fixture.open(meanwhile)
        writer.finishSweeping()
        // So many that a new index file is worth it.
        for number in 0..<1500 { try writer.put([1], "other-\(number)") }
        try writer.flush()
        try writer.put(Self.old(length), "early")
        let opener = Mutex<StoreCore?>(nil)
        try meanwhile.happens {
            let store = try fixture.open()
            store.finishSweeping()
            #expect(try store.remove("early"))
            #expect(try store.remove("late"))
            if isNewFile { try store.flush(compacting: true) }
            opener.withLock { $0 = store }
        } during: {
            try writer.put(Self.crossed(length), "late")
        }
        try writer.flush()
        let other = try #require(opener.withLock { $0 })
        try other.flush()
        for store in [writer, other, try fixture.open()] {
            #expect(store.statistics.entries == 1500)
            for key in ["early", "late"] { #expect(try store.get(key) == nil) }
            #expect(store.statistics.damaged == 0)
        }
        #expect(try fixture.names(".value").isEmpty)
    }

    /// The value that was replaced before is in a segment that is still written to, by a process that is told
    /// of what replaced it by a new index file: whoever opens the store reads it there.
    @Test(arguments: [100, 75_000])
    func whatIsReplacedAndRemovedMeanwhileIsNotFound(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        // So many that a new index file is worth it.
        for number in 0..<1500 { try first.put([1], "other-\(number)") }
        try first.put(Self.old(length), "key")
        let meanwhile = Meanwhile()
        let writer = try fixture.open(meanwhile)
        try meanwhile.happens {
            let opener = try fixture.open()
            try opener.put(Self.new(length), "key")
            try opener.flush(compacting: true)
            #expect(try opener.remove("key"))
            #expect(try fixture.open().get("key") == nil)
        } during: {
            try writer.put(Self.crossed(length), "key")
        }
        for store in [first, writer, try fixture.open()] { #expect(try store.get("key") == nil) }
    }

    /// Of two that are put at once one stays.
    @Test(arguments: [100, 75_000])
    func whatIsReplacedMeanwhileStays(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        try first.put(Self.old(length), "key")
        let meanwhile = Meanwhile()
        let writer = try fixture.open(meanwhile)
        let opener = Mutex<StoreCore?>(nil)
        try meanwhile.happens {
            let store = try fixture.open()
            try store.put(Self.new(length), "key")
            opener.withLock { $0 = store }
        } during: {
            try writer.put(Self.crossed(length), "key")
        }
        for store in [first, writer, try #require(opener.withLock { $0 }), try fixture.open()] {
            #expect(try store.get("key") == Self.new(length))
        }
        #expect(writer.statistics.entries == 1)
    }

    /// A new index file says of a segment that it is written to, since the last record of it is not told
    /// yet; the process whose segment it is knows better.
    @Test func aSegmentIsClosedThoughTheIndexFileIsReplacedMeanwhile() throws {
        let limit = 4 << 20
        let fixture = try StoreFixture(on: .memory)
        let other = try fixture.open(limit: limit)
        let meanwhile = Meanwhile()
        let writer = try fixture.open(meanwhile, limit: limit)
        // So many that a new index file is worth it.
        for number in 0..<1500 { try other.put([1], "other-\(number)") }
        let before = try fixture.directory.tree.status(of: "store/index.log").identity
        try meanwhile.happens {
            let count = try fixture.names(".segment").count
            for number in 0..<30 { try writer.put(StoreFixture.value(3000), "filling-\(number)") }
            #expect(try fixture.names(".segment").count > count)
            try other.flush(compacting: true)
            try writer.put([1], "another")
        } during: {
            try writer.put(Self.old(100), "key")
        }
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity != before)
        #expect(try writer.get("key") == Self.old(100))
        writer.end()
        // What is still written to is not removed with all that is in it.
        try other.removeAll()
        #expect(try fixture.names(".segment") == [])
    }
}

/// What happens when a value is written and nobody has been told of it.
private final class Meanwhile: Sendable {
    private let body = Mutex<(@Sendable () throws -> Void)?>(nil)
    private let failure = Mutex<(any Error)?>(nil)

    func notice(_ step: StoreStep) {
        guard step == .recordWritten || step == .fileWritten else { return }
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        do { try body?() } catch { failure.withLock { $0 = error } }
    }

    /// Does something in the midst of a put, once.
    func happens(
        _ body: @escaping @Sendable () throws -> Void, during put: () throws -> Void
    ) throws {
        self.body.withLock { $0 = body }
        try put()
        #expect(self.body.withLock { $0 == nil })
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

extension StoreFixture {
    fileprivate func open(_ meanwhile: Meanwhile, limit: Int = 64 << 20) throws -> StoreCore {
        try open(limit: limit, step: { meanwhile.notice($0) })
    }
}
