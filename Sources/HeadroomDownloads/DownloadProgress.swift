//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// How far a download has come.
public struct DownloadProgress: Hashable, Sendable {
    /// What is on the disk, earlier attempts included.
    public var received: ByteCount
    /// The whole; nil if the server has not told.
    public var total: ByteCount?

    public init(received: ByteCount, total: ByteCount?) {
        self.received = received
        self.total = total
    }

    /// 0…1; nil if it cannot be told.
    public var fraction: Double? {
        guard let total, total > .zero else { return nil }
        return min(1, Double(received.bytes) / Double(total.bytes))
    }
}
