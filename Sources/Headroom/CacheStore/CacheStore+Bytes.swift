//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
import HeadroomCore
import HeadroomPlatform

/// For programs that have bytes and no `Data`: nothing is copied from one to the other.
extension CacheStore {
    /// Puts bytes under a key, in place of what was there. Blocks.
    ///
    /// - Throws: ``StorageError`` as for data.
    public func put(
        bytes: [UInt8], for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(StorageError) {
        try withKey(key) { key throws(HeadroomError) in
            let failure = unsafe bytes.withUnsafeBytes { bytes -> HeadroomError? in
                do throws(HeadroomError) {
                    // Lives as long as the closure.
                    try core.put(unsafe RawSpan(_unsafeBytes: bytes), under: key, attributes)
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
        bytes: [UInt8], for key: String, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try self.put(bytes: bytes, for: key, attributes)
        }
    }

    /// The bytes of a key; nil if there are none. Blocks.
    ///
    /// - Throws: ``StorageError`` `io` if the disk does not let itself be read.
    public func bytes(for key: String) throws(StorageError) -> [UInt8]? {
        try withKey(key) { key throws(HeadroomError) in try core.get(key) }
    }

    /// The same without blocking.
    public func bytes(for key: String) async throws(StorageError) -> [UInt8]? {
        try await BlockingPool.shared.run { () throws(StorageError) -> [UInt8]? in
            try self.bytes(for: key)
        }
    }
}
