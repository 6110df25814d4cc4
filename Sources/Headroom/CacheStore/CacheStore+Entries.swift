//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
import HeadroomCore
public import HeadroomPlatform

/// What a cache store knows of a value, without its bytes.
public struct CacheEntry: Hashable, Sendable {
    public var key: String
    public var size: ByteCount
    /// As it was put; `CacheAttributes.lifetime` is what was left of it when this was asked for.
    public var attributes: CacheAttributes
    public var created: Timestamp
    public var lastUse: Timestamp
    public var expiry: Timestamp?
    public var isPinned: Bool

    init(_ details: StoreDetails, at now: Timestamp = .now()) {
        key = String(decoding: details.key, as: UTF8.self)
        size = ByteCount(Int64(details.length))
        attributes = CacheAttributes(
            as: details.purgeClass,
            lifetime: details.expiry.map {
                .nanoseconds(max(0, $0.nanoseconds - now.nanoseconds))
            }, cost: details.cost, importance: details.importance, metadata: details.metadata,
            tags: details.tags)
        created = details.created
        lastUse = details.lastUse
        expiry = details.expiry
        isPinned = details.isPinned
    }
}

/// Keeps a value from being evicted for as long as it is there, by any process; it ends with the process.
public final class CachePin: Sendable {
    private let lease: StoreLease

    init(_ lease: StoreLease) {
        self.lease = lease
    }
}

extension CacheStore {
    /// What is known of a value: its class, times, metadata, tags. Blocks.
    ///
    /// - Returns: nil if there is none.
    /// - Complexity: one short read.
    public func entry(for key: String) -> CacheEntry? {
        var key = key
        return key.withUTF8 { bytes in
            guard let details = core.details(unsafe RawSpan(_unsafeElements: bytes)),
                !details.isNegative
            else { return nil }
            return CacheEntry(details)
        }
    }

    /// The same without blocking.
    public func entry(for key: String) async -> CacheEntry? {
        await BlockingPool.shared.run { self.entry(for: key) }
    }

    /// Calls `body` with what is known of every value, in no order. Blocks; values may be put and removed
    /// meanwhile, by `body`, too. What is put may be told of: whoever puts new values for each that is there
    /// collects their keys first.
    ///
    /// - Complexity: O(values), with a short read of each.
    public func forEachEntry(_ body: (CacheEntry) -> Void) {
        core.forEachEntry { details in
            if !details.isNegative { body(CacheEntry(details)) }
        }
    }

    /// Keeps the value of a key from being evicted until the pin is let go.
    ///
    /// It can still be replaced, the new value then being pinned, and removed. A pin is not remembered: for what must
    /// outlive the process there is the mark `pinned` on a file, or no cache at all.
    ///
    /// - Returns: nil if there is no such value.
    /// - Throws: ``StorageError`` `storeFull` if more would be pinned than `CacheOptions.pinnedShare` allows.
    public func pin(_ key: String) throws(StorageError) -> CachePin? {
        try withKey(key) { key throws(HeadroomError) in try core.pin(key).map(CachePin.init) }
    }

    /// The same without blocking.
    public func pin(_ key: String) async throws(StorageError) -> CachePin? {
        try await BlockingPool.shared.run { () throws(StorageError) -> CachePin? in
            try self.pin(key)
        }
    }
}
