//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import Headroom
public import HeadroomPlatform

extension Storage {
    /// Downloads a file to where it belongs, so that it neither bloats backups nor vanishes.
    ///
    ///     let result = try await storage.download(url, intent: .requested)
    ///     switch result {
    ///     case .finished(let file): play(file.url)
    ///     case .declined(let advice): say("no room: \(advice.verdict)")
    ///     }
    ///
    /// | intent | place | purged | backed up |
    /// |---|---|---|---|
    /// | optional | Caches/*owner*/Downloads | as a cache | no |
    /// | requested | Application Support/*owner*/*collection* | as last resort | no |
    /// | essential | the same | never | no |
    ///
    /// Under its name there is the old file, or none, or the whole new one. Until then it is a
    /// temporary file of Headroom's, which any later call for the same URL and place goes on with if
    /// the server lets it, also after the process was killed; it goes with the next purge, or after
    /// seven days. Two calls for the same at once, in whatever processes, are one download. Memory
    /// is bounded whatever the size. The content is on disk when this returns.
    ///
    /// - Parameters:
    ///   - progress: called at most ten times a second, and at the end, one call at a time, on a
    ///     thread of the library's; it must not block.
    /// - Throws: ``StorageError`` `httpStatus`, with what the server answered; `network`, `timedOut`;
    ///   `corrupt` if length or digest are wrong: then there is nothing under the name; `cancelled`;
    ///   `insufficientSpace` if the volume is full in the middle of it, or for what is essential;
    ///   `refused`, `invalidName`, `notPermitted`, `io`.
    public func download(
        _ request: DownloadRequest, progress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(StorageError) -> DownloadResult {
        try await DownloadOperation(self, request, progress).run()
    }

    /// Downloads a file to where it belongs: ``download(_:progress:)``.
    ///
    /// - Parameters:
    ///   - name: relative; nil: from the URL and a hash of it.
    ///   - sha256: what the content has to be.
    ///   - collection: the directory; nil: `Downloads`.
    ///   - headers: sent with the request.
    public func download(
        _ url: URL, intent: Intent, named name: String? = nil,
        expecting sha256: SHA256Digest? = nil, collection: String? = nil,
        headers: [String: String] = [:], progress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(StorageError) -> DownloadResult {
        var request = DownloadRequest(url, intent: intent)
        request.name = name
        request.expected = sha256
        request.collection = collection
        request.headers = headers
        return try await download(request, progress: progress)
    }
}
