//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
import HeadroomEngine
public import HeadroomPlatform

/// What URL sessions have kept of the answers of servers (`URLCache`), as a part of the app that can be
/// measured and cleaned, through its own interface: its database is never touched.
///
///     storage.register(ResponseCacheModule())
///
/// Removing responses does not make the database smaller at once; what it occupies is used again. Give the
/// cache a `diskCapacity`: it is the only limit that it keeps by itself.
public struct ResponseCacheModule: StorageModule {
    public let id: String
    public var displayName: String { "Server responses" }
    public let quota: ByteCount?

    private let cache: any ResponseCaching

    package init(_ cache: any ResponseCaching, id: String, quota: ByteCount?) {
        self.cache = cache
        self.id = id
        self.quota = quota
    }

    public func usage() async throws -> ByteCount {
        // It asks its database.
        await BlockingPool.shared.run { [cache] in ByteCount(Int64(cache.diskUsage)) }
    }

    public func clean(_ request: CleaningRequest) async throws {
        // All of it is cache, and it can only go as a whole.
        guard request.allowedClass >= .cache else { return }
        await BlockingPool.shared.run { [cache] in cache.removeAll() }
    }
}

/// A cache of responses (`URLCache`), as far as cleaning needs it.
package protocol ResponseCaching: Sendable {
    /// In bytes.
    var diskUsage: Int { get }

    func removeAll()
}
