//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
public import Foundation
import Headroom
public import HeadroomPlatform

/// The real cache. Nothing is decided here.
private struct SystemResponseCache: ResponseCaching {
    let cache: URLCache

    var diskUsage: Int { cache.currentDiskUsage }

    func removeAll() { cache.removeAllCachedResponses() }
}

extension ResponseCacheModule {
    /// - Parameters:
    ///   - cache: the one that the app's sessions use.
    ///   - id: for an app with several.
    public init(
        _ cache: URLCache = .shared, id: String = "url-cache", quota: ByteCount? = nil
    ) {
        self.init(SystemResponseCache(cache: cache), id: id, quota: quota)
    }
}
#endif
