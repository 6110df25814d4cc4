//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// A record that is being made: what is known of a value before it is written.
struct RecordDraft {
    var header: RecordHeader
    let hash: UInt64
    /// Hashes of its tags.
    let tags: [UInt64]
    private let key: [UInt8]
    private let details: [UInt8]
    private let cost: Duration

    init(
        _ key: RawSpan, _ attributes: CacheAttributes, at now: StoreTick, _ identity: StoreIdentity
    ) {
        hash = identity.hash(key)
        tags = attributes.tags.map { identity.hash(tag: $0) }
        self.key = unsafe key.withUnsafeBytes { unsafe Array($0) }
        details = EncodedTags.encoded(attributes.tags, attributes.metadata)
        cost = attributes.cost
        header = RecordHeader(
            keyCount: key.byteCount, metadataCount: details.count,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            cost: attributes.cost.microseconds, created: now,
            expiry: attributes.lifetime.map { now.advanced(by: $0) } ?? .never,
            epoch: identity.epoch)
        header.hasTags = !tags.isEmpty
    }

    /// Says when it was put.
    mutating func begin(at now: StoreTick, lifetime: Duration?) {
        header.created = now
        header.expiry = lifetime.map { now.advanced(by: $0) } ?? .never
    }

    mutating func setValue(count: Int, sum: UInt32) {
        header.valueCount = UInt32(count)
        header.valueSum = sum
    }

    /// Header, key and metadata as they stand at an offset.
    func encoded(at offset: UInt64) -> [UInt8] {
        header.encoded(details.isEmpty ? key : key + details, at: offset)
    }

    func entry(at place: UInt64, isFile: Bool) -> StoreEntry {
        var entry = StoreEntry(
            hash: hash, place: place, length: header.valueCount, now: header.created,
            expiry: header.expiry, purgeClass: header.purgeClass, importance: header.importance,
            overhead: UInt8((header.overhead + 7) / 8), flags: header.entryFlags)
        if isFile { entry.flags.insert(.isFile) }
        entry.cost = cost
        return entry
    }
}

extension RecordHeader {
    /// What an entry of the index has of it.
    var entryFlags: StoreEntry.Flags {
        var flags: StoreEntry.Flags = kind == .negative ? .isNegative : []
        if hasTags { flags.insert(.hasTags) }
        return flags
    }
}

extension Duration {
    /// Clamped to an hour and a bit.
    fileprivate var microseconds: UInt32 {
        // Of most it is not said, and a division of numbers of 128 bits takes its time.
        if self == .zero { return 0 }
        return UInt32(clamping: Int64(min(max(0, self / .microseconds(1)), Double(UInt32.max))))
    }
}
