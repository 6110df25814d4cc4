//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import Headroom
public import HeadroomPlatform
public import HeadroomWorkspace

/// What is to be downloaded, why, and to where.
///
///     var request = DownloadRequest(url, intent: .requested)
///     request.collection = "Episodes"
///     request.headers["Authorization"] = "Bearer …"
///     let result = try await storage.download(request)
public struct DownloadRequest: Sendable {
    /// By `http` or `https`.
    public var url: URL
    /// Why, and so where it goes and what may be spent for it: see ``Headroom/Storage/download(_:progress:)``.
    public var intent: Storage.Intent
    /// Relative, such as `2026/episode.mp3`; nil: from the URL and a hash of it.
    public var name: String?
    /// The directory in Application Support/*owner*; nil: `Downloads`. Of what is optional, a
    /// directory in Caches/*owner*/Downloads.
    public var collection: String?
    /// What the content has to be; nil: whatever comes.
    public var expected: SHA256Digest?
    /// Sent with the request. `Authorization` and `Cookie` are not passed on when another server
    /// is redirected to. `Range`, `If-Range` and `Accept-Encoding` cannot be set.
    public var headers: [String: String] = [:]
    /// So long nothing may come before the transfer counts as broken off.
    public var stallTimeout: Duration = .seconds(60)
    /// How often a transfer that has begun and breaks off is taken up where it stands, within the
    /// call; after half a second, a second, two. A server that cannot be reached at first, and one that
    /// answers with an error, are not asked again.
    public var retries = 2

    public init(_ url: URL, intent: Storage.Intent) {
        self.url = url
        self.intent = intent
    }
}
