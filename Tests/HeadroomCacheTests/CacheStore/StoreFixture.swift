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

/// A directory for a store, a clock that stands still, and what one does to files.
struct StoreFixture {
    let directory: TemporaryDirectory
    private let clock = FakeClock()

    private final class FakeClock: Sendable {
        let time = Mutex(Timestamp(nanoseconds: 1_800_000_000_000_000_000))
    }

    /// Nil: the real one, which may be low on space: then nobody asks.
    private let volume: FakeVolume?

    init(on base: TemporaryDirectory.Base = .disk, volume: FakeVolume? = nil) throws {
        self.volume = volume
        directory = try TemporaryDirectory(on: base)
    }

    func pass(_ duration: Duration) {
        clock.time.withLock { $0 = $0.advanced(by: duration) }
    }

    /// Sets the clock.
    func set(_ time: Timestamp) { clock.time.withLock { $0 = time } }

    var now: Timestamp { clock.time.withLock { $0 } }

    func open(
        limit: Int = 64 << 20, entryLimit: Int? = nil, policy: CachePolicy = .leastRecentlyUsed,
        durability: CacheDurability = .none, heedsPressure: Bool = true,
        step: (@Sendable (StoreStep) -> Void)? = nil
    ) throws -> StoreCore {
        let clock = clock
        let volume = volume
        var options = CacheOptions(
            limit: ByteCount(Int64(limit)), entryLimit: entryLimit, policy: policy,
            durability: durability)
        options.heedsPressure = heedsPressure
        return try StoreCore(
            at: directory.path.appending("store"), options,
            clock: {
                clock.time.withLock { time in
                    // Of two things one is later.
                    time = time.advanced(by: .nanoseconds(100))
                    return time
                }
            }, volumeFigures: { _ in volume?.figures }, step: step)
    }

    static func value(_ length: Int, seed: UInt8 = 1) -> [UInt8] {
        let block = (0..<min(length, 509)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) }
        var value: [UInt8] = []
        while value.count < length { value += block.prefix(length - value.count) }
        return value
    }

    func names(_ suffix: String) throws -> [String] {
        try directory.tree.names(in: "store").map(\.text).filter { $0.hasSuffix(suffix) }.sorted()
    }

    /// Bytes of all files but the index.
    func occupied() throws -> Int {
        try (names(".segment") + names(".value")).reduce(0) { sum, name in
            let status = try directory.tree.status(of: TreePath("store/\(name)"))
            return sum + Int(status.allocatedSize.bytes)
        }
    }

    func flip(_ name: String, at offset: UInt64) throws {
        let file = try RegularFile(
            name, in: StateDirectory(opening: directory.path.appending("store")), .writing)
        var byte = try file.read(1, at: offset)
        byte[0] ^= 0x10
        try file.write(byte, at: offset)
    }

    func cut(_ name: String, to size: UInt64) throws {
        try RegularFile(
            name, in: StateDirectory(opening: directory.path.appending("store")), .writing
        ).truncate(size)
    }

    func copy(_ name: String, from other: StoreFixture) throws {
        let source = try RegularFile(
            name, in: StateDirectory(opening: other.directory.path.appending("store")), .reading)
        let target = try RegularFile(
            name, in: StateDirectory(opening: directory.path.appending("store")), .replacing)
        try target.write(try source.read(Int(source.size()), at: 0), at: 0)
    }

    func remove(_ name: String) throws {
        try StateDirectory(opening: directory.path.appending("store")).remove(name)
    }
}

extension StoreCore {
    func put(
        _ value: [UInt8], _ key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws {
        let key = Array(key.utf8)
        unsafe try put(value.span.bytes, under: key.span.bytes, attributes)
    }

    func get(_ key: String) throws -> [UInt8]? {
        let key = Array(key.utf8)
        return unsafe try get(key.span.bytes)
    }

    @discardableResult
    func remove(_ key: String) throws -> Bool {
        let key = Array(key.utf8)
        return unsafe try remove(key.span.bytes)
    }

    func contains(_ key: String) -> Bool {
        let key = Array(key.utf8)
        return unsafe contains(key.span.bytes)
    }
}
