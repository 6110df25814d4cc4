//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
public import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CacheStore {
    // MARK: - Putting

    /// Puts a value under a key, in place of what was there.
    ///
    /// - Throws: ``StorageError`` `storeFull` if the limit is reached and all that is there is pinned or in
    ///   use; `insufficientSpace` if the volume is full and nothing of the store may go, or the value
    ///   is optional and the volume is low; `refused` for a key of more than 1,024 bytes, or a value of
    ///   half of the limit or more, or of nearly 4 GiB. What was under the key is still there then.
    public func put(
        _ data: Data, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(StorageError) {
        try withKey(key) { key throws(HeadroomError) in
            let failure = unsafe data.withUnsafeBytes { data -> HeadroomError? in
                do throws(HeadroomError) {
                    // Lives as long as the closure.
                    try core.put(unsafe RawSpan(_unsafeBytes: data), under: key, attributes)
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
        }
    }

    /// The same without blocking.
    public func put(
        _ data: Data, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try self.put(data, for: key, attributes)
        }
    }

    /// Remembers that there is nothing under a key, so that nobody has to ask again so soon.
    ///
    /// `data(for:)` finds nothing, as before; `isKnownMissing(_:)` tells it from not knowing.
    public func putNothing(
        for key: String, lifetime: Duration, as purgeClass: PurgeableClass = .temporary
    ) throws(StorageError) {
        let attributes = CacheAttributes(as: purgeClass, lifetime: lifetime)
        try withKey(key) { key throws(HeadroomError) in
            try core.putNothing(under: key, attributes)
        }
    }

    /// The same without blocking.
    public func putNothing(
        for key: String, lifetime: Duration, as purgeClass: PurgeableClass = .temporary
    ) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try self.putNothing(for: key, lifetime: lifetime, as: purgeClass)
        }
    }

    // MARK: - Getting

    /// The value of a key; nil if there is none.
    ///
    /// - Throws: ``StorageError`` `io` if the disk does not let itself be read.
    public func data(for key: String) throws(StorageError) -> Data? {
        try withKey(key) { key throws(HeadroomError) in
            var result: Data?
            var lacking: Int?
            try unsafe core.read(key) { record, fill in
                // So that the value is as well aligned as any other data.
                let padding = -record.value.lowerBound & 15
                guard let memory = unsafe malloc(padding + record.size) else {
                    // Nothing is wrong with the value.
                    lacking = record.value.count
                    return true
                }
                let isGood = unsafe fill(
                    UnsafeMutableRawBufferPointer(start: memory + padding, count: record.size))
                if isGood, !record.value.isEmpty {
                    result = unsafe Data(
                        owning: memory, from: padding + record.value.lowerBound,
                        count: record.value.count)
                } else {
                    unsafe free(memory)
                    result = isGood ? Data() : nil
                }
                return isGood
            }
            if let lacking {
                throw HeadroomError(
                    .io,
                    "Could not read a value of \(ByteCount(Int64(lacking))) from the cache store: there is not "
                        + "enough memory for it. Read it as a stream or through its descriptor.")
            }
            return result
        }
    }

    /// The same without blocking.
    public func data(for key: String) async throws(StorageError) -> Data? {
        try await BlockingPool.shared.run { () throws(StorageError) -> Data? in
            try self.data(for: key)
        }
    }

    /// Whether there is a value under a key, as far as the index says; the disk is not touched.
    ///
    /// What another process has put or removed in this moment may be missing.
    public func contains(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { core.contains(unsafe RawSpan(_unsafeElements: $0)) }
    }

    /// Whether it was said that there is nothing under a key, and still holds. Blocks.
    public func isKnownMissing(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { core.isKnownMissing(unsafe RawSpan(_unsafeElements: $0)) }
    }

    /// The same without blocking.
    public func isKnownMissing(_ key: String) async -> Bool {
        await BlockingPool.shared.run { self.isKnownMissing(key) }
    }

    // MARK: - Removing

    /// Removes the value of a key.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``StorageError`` `io` also where its file can neither be removed nor written to: others may still
    ///   find it.
    @discardableResult
    public func remove(_ key: String) throws(StorageError) -> Bool {
        try withKey(key) { key throws(HeadroomError) in try core.remove(key) }
    }

    /// The same without blocking.
    @discardableResult
    public func remove(_ key: String) async throws(StorageError) -> Bool {
        try await BlockingPool.shared.run { () throws(StorageError) -> Bool in
            try self.remove(key)
        }
    }

    /// Removes all values that were put with a tag.
    ///
    /// - Returns: how many.
    /// - Complexity: O(values with the tag), with a short read of each.
    @discardableResult
    public func removeAll(tagged tag: String) throws(StorageError) -> Int {
        do {
            return try core.removeAll(tagged: tag)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func removeAll(tagged tag: String) async throws(StorageError) -> Int {
        try await BlockingPool.shared.run { () throws(StorageError) -> Int in
            try self.removeAll(tagged: tag)
        }
    }

    /// Removes everything, pinned or not.
    public func removeAll() throws(StorageError) {
        do {
            try core.removeAll()
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func removeAll() async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in try self.removeAll() }
    }
}
