//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which items of a chunk are no more.
struct DeadItems {
    var bits: [UInt64] = []
    var count = 0

    func contains(_ index: Int) -> Bool {
        !bits.isEmpty && bits[index >> 6] >> UInt64(index & 63) & 1 == 1
    }

    mutating func insert(_ index: Int) {
        if bits.isEmpty { bits = Array(repeating: 0, count: ItemChunk.capacity / 64) }
        bits[index >> 6] |= 1 << UInt64(index & 63)
        count += 1
    }
}
