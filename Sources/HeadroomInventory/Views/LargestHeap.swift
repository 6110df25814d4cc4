//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The largest of many by number, in memory for as many as are wanted.
///
/// A binary heap with the smallest kept element on top: most of many elements cost one comparison.
package struct LargestHeap {
    private struct Entry {
        var size: Int64
        var number: UInt32

        /// Of equal size, the smaller number is the larger element, so that results are repeatable.
        static func < (left: Entry, right: Entry) -> Bool {
            left.size < right.size || (left.size == right.size && left.number > right.number)
        }
    }

    private var entries: [Entry] = []
    private let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether an element of a size might be kept.
    @inline(__always)
    package func admits(_ size: Int64) -> Bool {
        entries.count < limit || (entries.first.map { $0.size <= size } ?? false)
    }

    /// Keeps an element if it is among the largest.
    ///
    /// - Complexity: O(log limit); O(1) if it is not kept.
    @inline(__always)
    package mutating func insert(_ number: UInt32, size: Int64) {
        let entry = Entry(size: size, number: number)
        if entries.count < limit {
            entries.append(entry)
            siftUp(entries.count - 1)
        } else if let smallest = entries.first, smallest < entry {
            entries[0] = entry
            siftDown(0)
        }
    }

    /// The kept elements, the largest first.
    package consuming func descending() -> [UInt32] {
        entries.sorted { $1 < $0 }.map(\.number)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index] < entries[parent] else { return }
            entries.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && entries[child] < entries[smallest] {
                smallest = child
            }
            guard smallest != index else { return }
            entries.swapAt(index, smallest)
            index = smallest
        }
    }
}
