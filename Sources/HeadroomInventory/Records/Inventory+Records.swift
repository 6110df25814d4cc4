//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Inventory {
    /// Calls `body` with the number and record of each item of a directory, not of those below.
    @inlinable @inline(__always)
    public func forEachRecord(of directory: UInt32, _ body: (UInt32, ItemRecord) -> Void) {
        var run = directories[Int(directory)].firstRun
        while run != UInt32.max {
            let span = runs[Int(run)]
            let chunk = chunks[Int(span.firstItem >> ItemChunk.shift)]
            // A run lies in one chunk, within its count.
            let first = Int(span.firstItem) & (ItemChunk.capacity - 1)
            for offset in 0..<span.count {
                body(span.firstItem &+ offset, chunk.record(at: first &+ Int(offset)))
            }
            run = span.next
        }
    }
}
