//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
import SystemPackage

/// What a store knows of an entry beside its value.
package struct StoreDetails: Hashable, Sendable {
    package var key: [UInt8]
    package var tags: [String]
    package var metadata: [UInt8]
    package var length: UInt32
    package var purgeClass: PurgeableClass
    package var created: Timestamp
    package var lastUse: Timestamp
    package var expiry: Timestamp?
    package var cost: Duration
    package var importance: UInt8
    package var isPinned: Bool
    package var isNegative: Bool
    /// The value has a file of its own.
    package var isFile: Bool
}

extension StoreCore {
    /// What is known of the entry of a key; its value is not read.
    ///
    /// - Returns: nil if there is none, or its record is damaged.
    package func details(_ key: RawSpan) -> StoreDetails? {
        let hash = identity.hash(key)
        _ = try? catchUp()
        guard let details = details(hash, tick()) else { return nil }
        return unsafe details.key.span.bytes.isEqual(to: key) ? details : nil
    }

    private func details(_ hash: UInt64, _ now: StoreTick) -> StoreDetails? {
        var seen: StoreEntry?
        // Moved between looking it up and reading it: looked up again.
        while let entry = state.withLock({ $0.index.entry(hash) }), entry.expiry > now,
            entry.recordPlace != seen?.recordPlace
        {
            if let details = details(of: entry) { return details }
            seen = entry
        }
        return nil
    }

    /// Whether it was said that there is nothing under a key.
    package func isKnownMissing(_ key: RawSpan) -> Bool {
        details(key)?.isNegative ?? false
    }

    func details(of entry: StoreEntry) -> StoreDetails? {
        guard let file = try? open(entry),
            let bytes = try? file.bytes(entry.frontSize, at: entry.frontOffset),
            let header = unsafe RecordHeader(of: entry, in: bytes.span.bytes), !header.isRetired
        else { return nil }
        let key = RecordHeader.size + Int(header.keyCount)
        let end = RecordHeader.size + header.overhead
        let metadata = bytes[key..<end]
        let decoded = header.hasTags ? EncodedTags.decoded(metadata) : nil
        return StoreDetails(
            key: Array(bytes[RecordHeader.size..<key]), tags: decoded?.tags ?? [],
            metadata: decoded?.metadata ?? Array(metadata), length: entry.length,
            purgeClass: entry.purgeClass, created: entry.created.time(since: identity.epoch),
            lastUse: entry.lastUse.time(since: identity.epoch),
            expiry: entry.expiry == .never ? nil : entry.expiry.time(since: identity.epoch),
            cost: entry.cost, importance: entry.importance,
            isPinned: entry.flags.contains(.isPinned),
            isNegative: entry.flags.contains(.isNegative), isFile: entry.isFile)
    }

    /// Calls `body` for every entry that is there, in no order; what is put meanwhile may be left out.
    ///
    /// - Complexity: O(entries), a short read each.
    package func forEachEntry(_ body: (StoreDetails) -> Void) {
        _ = try? catchUp()
        let now = tick()
        var next = 0
        // What `body` puts is not told of, but where it comes in place of others.
        let end = state.withLock { $0.index.table.placeCount }
        while true {
            let entries = state.withLock { $0.index.entries(from: &next, to: end, count: 256) }
            if entries.isEmpty { return }
            for entry in entries {
                if let details = details(entry.hash, now) { body(details) }
            }
        }
    }
}

extension CacheIndex {
    /// Some of the entries; none are left when it returns none.
    package func entries(from place: inout Int, to end: Int = .max, count: Int) -> [StoreEntry] {
        var entries: [StoreEntry] = []
        while place < min(end, table.placeCount), entries.count < count {
            if table[place].isLive, !isStray(table[place]) { entries.append(table[place]) }
            place += 1
        }
        return entries
    }
}

extension StoreTick {
    package func time(since epoch: Timestamp) -> Timestamp {
        epoch.advanced(by: .seconds(Int64(rawValue)) / Int(Self.perSecond))
    }
}

extension StoreCore {
    /// The names of the files that the index knows of.
    ///
    /// - Complexity: O(entries).
    package var fileNames: Set<String> {
        let (segments, files) = state.withLock { state in
            (state.index.segments.numbers, state.index.fileNumbers())
        }
        return Set(segments.map(StoreNames.segment) + files.map(StoreNames.value))
    }
}
