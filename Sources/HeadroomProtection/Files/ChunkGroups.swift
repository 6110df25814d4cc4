//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPlatform

/// How the chunks of a file are shared out to threads.
struct ChunkGroups: Sendable {
    let chunkCount: Int
    private let first: Int
    private let size: Int

    /// Found by measuring: Documentation/Design/0038-protection-in-threads.md. Less is over sooner than a
    /// thread has begun.
    private static let threshold: Int64 = 4 << 20
    private static let groupBytes = 256 << 10
    /// More only wait for the one that writes, or takes what was read.
    static var width: Int { min(4, WorkerThread.processorCount) }

    /// Of content in memory.
    init(size: Int64, chunkSize: Int) {
        let count = max(1, (size + Int64(chunkSize) - 1) / Int64(chunkSize))
        self.init(chunks: 0..<Int(count), chunkSize: chunkSize)
        isLong = size >= Self.threshold
    }

    /// Of a part of a file.
    init(chunks: Range<Int>, chunkSize: Int) {
        first = chunks.lowerBound
        chunkCount = chunks.count
        size = max(1, Self.groupBytes / chunkSize)
        isLong = Int64(chunks.count) * Int64(chunkSize) >= Self.threshold
    }

    private var isLong: Bool

    var areWorthThreads: Bool { isLong && Self.width > 1 }

    /// How many groups there are.
    var count: Int { (chunkCount + size - 1) / size }

    /// The numbers of the chunks of a group.
    func chunks(of group: Int) -> Range<Int> {
        let start = first + group * size
        return start..<min(start + size, first + chunkCount)
    }
}
#endif
