//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// What a cache store would do with a sequence of requests, found out without a disk.
///
/// It has the store's own index, policy, segments and limit, and does what the store does with them,
/// except that nothing is written: some hundred nanoseconds a request. With it a limit and
/// a policy can be chosen for what an app really asks for.
///
///     var simulation = CacheSimulation(CacheOptions(limit: .megabytes(50)))
///     for request in trace { simulation.request(request.key, bytes: request.size) }
///     print(simulation.statistics.hits)
public struct CacheSimulation: ~Copyable {
    public let options: CacheOptions
    /// What would have been counted by a store.
    public private(set) var statistics = CacheStatistics()
    /// Bytes of records that were moved.
    public private(set) var movedBytes: Int64 = 0
    /// Bytes of records that were put.
    public private(set) var putBytes: Int64 = 0
    /// How fast requests follow each other.
    public var requestsPerSecond = 16.0
    /// Whether what goes next is looked for before something is put, as a store does; that changes nothing.
    package var isPreparing = true
    private var index: CacheIndex
    private let segmentCapacity: Int
    private let keyBytes: Int
    /// What was written to each segment, in order.
    private var records: [UInt32: [Record]] = [:]
    private var open: [UInt32?] = [nil, nil, nil]
    private var time = 0.0
    private var fileNumber: UInt64 = 0

    private struct Record {
        let hash: UInt64
        let place: UInt64
    }

    /// - Parameter keyBytes: the length of keys and metadata.
    public init(_ options: CacheOptions, keyBytes: Int = 32) {
        self.options = options
        self.keyBytes = keyBytes
        index = CacheIndex(policy: options.policy, entryLimit: options.entryLimit)
        segmentCapacity = StoreCore.segmentCapacity(options)
    }

    /// Asks for a value, and puts it if it is not there.
    ///
    /// - Returns: whether it was there.
    /// - Complexity: O(1) on average.
    @discardableResult
    public mutating func request(
        _ key: UInt64, bytes: Int, _ attributes: CacheAttributes = CacheAttributes()
    ) -> Bool {
        if get(key) { return true }
        put(key, bytes: bytes, attributes)
        return false
    }

    /// Asks for a value.
    ///
    /// - Returns: whether it was there.
    public mutating func get(_ key: UInt64) -> Bool {
        time += Double(StoreTick.perSecond) / requestsPerSecond
        let isThere = index.use(Self.hash(key), at: now) != nil
        if isThere { statistics.hits += 1 } else { statistics.misses += 1 }
        return isThere
    }

    /// Puts a value; what is too large, or does not fit because nothing may go, is not put.
    public mutating func put(
        _ key: UInt64, bytes: Int, _ attributes: CacheAttributes = CacheAttributes()
    ) {
        guard bytes < Int(options.limit.bytes / 2) else { return }
        let hash = Self.hash(key)
        if isPreparing { index.prepare(for: hash, at: now) }
        if let limit = options.entryLimit, index.entry(hash) == nil {
            while index.count >= limit {
                guard let victim = index.evict(at: now) else { return }
                count(1, Int64(victim.recordSize))
            }
        }
        var entry = StoreEntry(
            hash: hash, place: 0, length: UInt32(bytes), now: now,
            expiry: attributes.lifetime.map { now.advanced(by: $0) } ?? .never,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            overhead: UInt8(clamping: (keyBytes + 7) / 8),
            flags: bytes > StoreCore.smallValueLimit(options) ? .isFile : [])
        entry.cost = attributes.cost
        if entry.isFile {
            guard makeRoom(entry.fileAllocated) else { return }
            fileNumber += 1
            entry.place = fileNumber
        } else {
            guard let place = reserve(entry.recordSize, entry.purgeClass) else { return }
            entry.place = place
            _ = index.finishWriting(in: entry.segment)
            records[entry.segment]?.append(Record(hash: hash, place: place))
        }
        _ = index.insert(entry)
        statistics.puts += 1
        putBytes += Int64(entry.recordSize)
    }

    private var now: StoreTick { StoreTick(UInt32(time) + 1) }

    private static func hash(_ key: UInt64) -> UInt64 {
        // Keys that follow each other must not lie beside each other.
        var value = key &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    // MARK: - What the store does

    private mutating func reserve(_ size: Int, _ purgeClass: PurgeableClass) -> UInt64? {
        let code = Int(purgeClass.code)
        if let place = reserveInOpen(size, code) { return place }
        if let number = open[code] { seal(number, code) }
        guard makeRoom(Int64(segmentCapacity)) else { return nil }
        if open[code] == nil { makeSegment(purgeClass) }
        return reserveInOpen(size, code)
    }

    private mutating func reserveInOpen(_ size: Int, _ code: Int) -> UInt64? {
        guard let number = open[code],
            let offset = index.reserve(size, in: number, capacity: segmentCapacity)
        else { return nil }
        return StoreEntry.place(segment: number, offset: offset)
    }

    private mutating func makeSegment(_ purgeClass: PurgeableClass) {
        let number = index.segments.takeNumber()
        let segment = SegmentAccount(
            purgeClass: purgeClass, owner: 1, allocated: Int64(segmentCapacity), isOpen: true)
        index.addSegment(number, segment)
        records[number] = []
        open[Int(purgeClass.code)] = number
    }

    private mutating func seal(_ number: UInt32, _ code: Int) {
        let end = Int64(index.segments[number]?.end ?? 0)
        index.seal(number, allocated: (end + 4095) & ~4095)
        open[code] = nil
    }

    private mutating func makeRoom(_ bytes: Int64) -> Bool {
        while true {
            for number in index.deadSegments { forget(number) }
            let step = index.stepToRoom(
                for: bytes, limit: options.limit.bytes, segment: Int64(segmentCapacity))
            switch step {
            case .fits: return true
            case .move(let number): move(number)
            case .release(var wanted):
                var found = false
                while wanted > 0, let size = release() {
                    wanted -= size
                    found = true
                }
                if found { continue }
                guard let number = index.mostlyDeadSegment else { return false }
                move(number)
            }
        }
    }

    private mutating func release() -> Int64? {
        guard let released = index.release(at: now) else { return nil }
        if released.isRemoved { count(1, Int64(released.entry.recordSize)) }
        return released.bytes
    }

    private mutating func count(_ evictions: Int, _ bytes: Int64) {
        statistics.evictions += evictions
        statistics.evictedBytes += bytes
    }

    private mutating func move(_ number: UInt32) {
        guard let purgeClass = index.segments[number]?.purgeClass else { return }
        let code = Int(purgeClass.code)
        for record in records[number] ?? [] {
            guard let entry = index.entryToMove(record.hash, from: record.place) else { continue }
            var place = reserveInOpen(entry.recordSize, code)
            if place == nil {
                if let open = open[code] { seal(open, code) }
                makeSegment(purgeClass)
                place = reserveInOpen(entry.recordSize, code)
            }
            guard let place else { continue }
            let segment = UInt32(truncatingIfNeeded: place >> 32)
            _ = index.finishWriting(in: segment)
            _ = index.move(record.hash, from: record.place, to: place)
            records[segment]?.append(Record(hash: record.hash, place: place))
            statistics.moved += 1
            movedBytes += Int64(entry.recordSize)
        }
        forget(number)
    }

    private mutating func forget(_ number: UInt32) {
        let gone = index.dropSegment(number)
        count(gone.count, gone.bytes)
        records[number] = nil
    }

    /// Entries that were looked at to find those that went.
    package var stepsToEvict: Int { index.stepsToEvict }

    /// What the store would hold now.
    public var occupied: (entries: Int, liveBytes: Int64, allocated: Int64) {
        (index.count, index.liveBytes, index.allocated)
    }
}
