//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCache
import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a cache store that is read where it lies.
///
/// It stays as it is though its key is given another value, or removed; it is not evicted meanwhile, and
/// counts towards the limit until this object is let go. Any thread may read.
public final class CachedFile: Sendable {
    private let value: StoreValue
    private let path: FilePath

    init(_ value: StoreValue, _ path: FilePath) {
        self.value = value
        self.path = path
    }

    /// The length of the value.
    public var count: Int { value.length }

    /// A descriptor for reading, of a file that begins with the ``count`` bytes of the value; others follow.
    ///
    /// Closed with this object: duplicate it for something that lasts longer (dup(2)). Reads at offsets
    /// (pread(2)) do not get in each other's way.
    public var descriptor: Int32 { value.descriptor }

    /// Reads from an offset. Blocks.
    ///
    /// - Returns: as many bytes as there are, at most `count`; none in front of the value, or behind it.
    public func read(_ count: Int, at offset: Int) throws(StorageError) -> Data {
        do throws(Errno) {
            return Data(try value.read(count, at: offset))
        } catch {
            throw StorageError(HeadroomError("read from the cache store", path, error))
        }
    }

    /// The same without blocking.
    public func read(_ count: Int, at offset: Int) async throws(StorageError) -> Data {
        try await BlockingPool.shared.run { () throws(StorageError) -> Data in
            try self.read(count, at: offset)
        }
    }

    /// The bytes, mapped into memory: they are read when they are looked at, and stay valid as long as
    /// the data does.
    ///
    /// Whoever cuts the file off meanwhile, which nothing of Headroom does, ends the process that looks at what is
    /// gone (mmap(2), SIGBUS).
    public func mapped() throws(StorageError) -> Data {
        do throws(Errno) {
            let bytes = try value.mapped()
            let keeper = value
            return unsafe bytes.withBytes { buffer in
                guard let base = buffer.baseAddress else { return Data() }
                return unsafe Data(
                    bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: buffer.count,
                    deallocator: .custom { _, _ in
                        // Both live until the data goes.
                        withExtendedLifetime((bytes, keeper)) {}
                    })
            }
        } catch {
            throw StorageError(HeadroomError("map a value of the cache store", path, error))
        }
    }
}

extension CacheStore {
    /// Opens the value of a key for reading it where it lies: for what is large, or is handed to others.
    ///
    /// Its checksum is compared first, which reads all of it once. A value that is packed with others is
    /// copied, to memory on Linux.
    ///
    /// - Returns: nil if there is none.
    public func open(_ key: String) throws(StorageError) -> CachedFile? {
        try withKey(key) { key throws(HeadroomError) in
            try core.open(key).map { CachedFile($0, core.path) }
        }
    }

    /// The same without blocking.
    public func open(_ key: String) async throws(StorageError) -> CachedFile? {
        try await BlockingPool.shared.run { () throws(StorageError) -> CachedFile? in
            try self.open(key)
        }
    }
}
