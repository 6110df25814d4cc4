//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
import HeadroomCore
public import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Storage {
    /// Opens a cache store among the app's caches; makes it if there is none. Blocks while its index file is
    /// read.
    ///
    /// - Parameters:
    ///   - name: of its directory, without a slash.
    ///   - limit: what it may occupy on the volume.
    ///   - options: everything else; its limit does not count.
    /// - Throws: ``StorageError`` `invalidName`; `refused` for options that cannot be; `io` and others.
    public func cacheStore(
        named name: String, limit: ByteCount, _ options: CacheOptions? = nil
    ) throws(StorageError) -> CacheStore {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.contains("\0"),
            name.utf8.count <= 200
        else {
            throw StorageError(
                .invalidName,
                "\"\(name)\" cannot be the name of a cache store: it is that of a directory among the "
                    + "caches. Use letters and digits.")
        }
        var options = options ?? CacheOptions(limit: limit)
        options.limit = limit
        let path = core.places.caches.appending("\(name).store")
        return try core.makingRoom(for: .cache, to: "open the cache store \(name)") {
            () throws(StorageError) in
            do throws(Errno) {
                // With its marks, as for everything that is saved there.
                _ = try core.open(.cache)
            } catch {
                throw StorageError(
                    HeadroomError("make the caches' directory", core.places.caches, error))
            }
            return try CacheStore(at: URL(filePath: path.string), options)
        }
    }

    /// The same without blocking.
    public func cacheStore(
        named name: String, limit: ByteCount, _ options: CacheOptions? = nil
    ) async throws(StorageError) -> CacheStore {
        try await BlockingPool.shared.run { () throws(StorageError) -> CacheStore in
            try self.cacheStore(named: name, limit: limit, options)
        }
    }
}
