//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import Headroom
public import HeadroomPlatform

/// What has become of a download.
public enum DownloadResult: Sendable {
    case finished(DownloadedFile)
    /// There is no room for it, by the rules of its intent; never for what is essential. What was
    /// there of it is kept as a temporary file, and gone on with the next time.
    case declined(Advice)

    /// The file; nil if it was declined.
    public var file: DownloadedFile? {
        if case .finished(let file) = self { file } else { nil }
    }
}

/// A file that was downloaded, whole and at its place.
public struct DownloadedFile: Hashable, Sendable {
    /// Where it is.
    public var url: URL
    public var bytes: ByteCount
    /// So much was there from an earlier attempt, and was not fetched again.
    public var resumed: ByteCount
    /// Where it came from in the end, all redirects followed; nil if ``isShared``.
    public var responseURL: URL?
    /// Another call or process was downloading the same at the same time, and this one has waited
    /// for it.
    public var isShared: Bool

    public init(
        url: URL, bytes: ByteCount, resumed: ByteCount = .zero, responseURL: URL? = nil,
        isShared: Bool = false
    ) {
        self.url = url
        self.bytes = bytes
        self.resumed = resumed
        self.responseURL = responseURL
        self.isShared = isShared
    }
}
