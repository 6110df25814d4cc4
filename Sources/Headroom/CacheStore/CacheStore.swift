//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
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

/// A disk cache that keeps its limit at every moment.
///
/// Small values are packed into few files, large ones have a file each; an index in memory finds
/// them. What is given back is what was put: key and checksum are compared each time, and what is
/// damaged is not there. When the limit is reached what is temporary goes first, then caches, last
/// what is marked as last resort, in each class by the `CachePolicy`.
///
/// A process that is killed loses nothing that it had put; a machine that crashes, what the
/// `CacheDurability` allows. One process at a time uses a store. The synchronous calls block;
/// the asynchronous ones do not.
public final class CacheStore: Sendable {
    private let core: StoreCore

    /// Opens the store in a directory; makes it if there is none.
    ///
    /// - Throws: ``StorageError`` `refused` for options that cannot be; `notPermitted`, `io`.
    /// - Complexity: O(entries), some 30 ns each: its index file is read; nothing else is.
    public init(at url: URL, _ options: CacheOptions) throws(StorageError) {
        do {
            core = try StoreCore(at: FilePath(url.path), options)
        } catch {
            throw StorageError(error)
        }
    }

    deinit {
        // Of use to the next who opens it; without it that costs a look at what was written last.
        core.end()
    }

    // MARK: - Putting

    /// Puts a value under a key, in place of what was there.
    ///
    /// - Throws: ``StorageError`` `insufficientSpace` if the limit is reached and nothing may go, or
    ///   the volume is full; `refused` for a key of more than 1,024 bytes, or a value of more than
    ///   half of the limit. What was under the key is still there then.
    public func put(
        _ data: Data, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(StorageError) {
        var key = key
        let result = key.withUTF8 { key in
            unsafe data.withUnsafeBytes { data -> Result<Void, HeadroomError> in
                do throws(HeadroomError) {
                    // Both live as long as the closures.
                    unsafe try core.put(
                        RawSpan(_unsafeBytes: data), under: RawSpan(_unsafeElements: key),
                        attributes)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        }
        if case .failure(let error) = result { throw StorageError(error) }
    }

    /// The same without blocking.
    public func put(
        _ data: Data, for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try self.put(data, for: key, attributes)
        }
    }

    // MARK: - Getting

    /// The value of a key; nil if there is none.
    ///
    /// - Throws: ``StorageError`` `io` if the disk does not let itself be read.
    public func data(for key: String) throws(StorageError) -> Data? {
        var result: Data?
        var key = key
        let failure = key.withUTF8 { key -> HeadroomError? in
            do throws(HeadroomError) {
                let key = unsafe RawSpan(_unsafeElements: key)
                unsafe try core.read(key) { length, fill in
                    guard length > 0, let memory = unsafe malloc(length) else {
                        result = Data()
                        return unsafe fill(
                            UnsafeMutableRawBufferPointer(start: nil, count: 0))
                    }
                    var isGood = false
                    defer { if !isGood { unsafe free(memory) } }
                    isGood = unsafe fill(
                        UnsafeMutableRawBufferPointer(start: memory, count: length))
                    result =
                        isGood
                        ? unsafe Data(bytesNoCopy: memory, count: length, deallocator: .free)
                        : nil
                    return isGood
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw StorageError(failure) }
        return result
    }

    /// The same without blocking.
    public func data(for key: String) async throws(StorageError) -> Data? {
        try await BlockingPool.shared.run { () throws(StorageError) -> Data? in
            try self.data(for: key)
        }
    }

    /// Whether there is a value under a key, as far as the index says; the disk is not touched.
    public func contains(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { unsafe core.contains(RawSpan(_unsafeElements: $0)) }
    }

    // MARK: - Removing

    /// Removes the value of a key.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: String) throws(StorageError) -> Bool {
        var key = key
        let result = key.withUTF8 { key -> Result<Bool, HeadroomError> in
            do throws(HeadroomError) {
                return .success(try unsafe core.remove(RawSpan(_unsafeElements: key)))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let wasThere): return wasThere
        case .failure(let error): throw StorageError(error)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func remove(_ key: String) async throws(StorageError) -> Bool {
        try await BlockingPool.shared.run { () throws(StorageError) -> Bool in
            try self.remove(key)
        }
    }

    // MARK: - The store

    /// Writes down what is only in memory, so that the next to open it has nothing to look for.
    ///
    /// Done when the last reference goes, too.
    public func close() throws(StorageError) {
        do throws(Errno) {
            try core.close()
        } catch {
            throw StorageError(HeadroomError("close the cache store", core.path, error))
        }
    }

    /// What it has done since it was opened, and what it holds.
    public var statistics: CacheStatistics { core.statistics }

    /// Bytes of memory that the index takes.
    public var indexMemory: Int { core.indexMemory }
}
