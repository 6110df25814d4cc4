//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The largest of many, in constant memory.
package struct TopList<Element> {
    /// The largest first.
    private(set) var elements: [(size: Int64, element: Element)] = []
    package let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether an element of a size would be kept; asked before it is made.
    package func admits(_ size: Int64) -> Bool {
        elements.count < limit || (elements.last.map { size > $0.size } ?? false)
    }

    /// Keeps an element if it is among the largest. Of equal ones, the first stays in front.
    ///
    /// - Complexity: O(log limit) comparisons.
    package mutating func insert(_ element: Element, size: Int64) {
        guard admits(size) else { return }
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].size >= size { low = middle + 1 } else { high = middle }
        }
        elements.insert((size, element), at: low)
        if elements.count > limit { elements.removeLast() }
    }
}
