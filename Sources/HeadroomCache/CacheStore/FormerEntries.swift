//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How often entries were used that are there no more: two bytes each, for as many as there are
/// entries, or twice as many.
///
/// What comes back is not taken for new then. What is forgotten, or taken for another, costs a hit
/// now and then and nothing else.
struct FormerEntries {
    /// Eight bits of the hash, and the frequency; in pairs.
    private var items: [UInt16] = []

    var memory: Int { items.count * MemoryLayout<UInt16>.stride }

    mutating func remember(_ hash: UInt64, _ frequency: UInt8) {
        guard !items.isEmpty else { return }
        let (place, mark) = place(hash)
        let item = mark | UInt16(frequency)
        for candidate in [place, place ^ 1]
        where items[candidate] == 0 || items[candidate] & 0xFF00 == mark {
            items[candidate] = item
            return
        }
        let least = items[place] & 0xFF <= items[place ^ 1] & 0xFF ? place : place ^ 1
        if items[least] & 0xFF <= UInt16(frequency) {
            items[least] = item
        } else {
            // It has to be used again to be remembered much longer.
            items[least] -= 1
        }
    }

    /// How often an entry was used that is put now; 0 if nothing is known.
    func frequency(_ hash: UInt64) -> UInt8 {
        guard !items.isEmpty else { return 0 }
        let (place, mark) = place(hash)
        for candidate in [place, place ^ 1] where items[candidate] & 0xFF00 == mark {
            return UInt8(truncatingIfNeeded: items[candidate])
        }
        return 0
    }

    /// Has the processor bring near what is known of a hash.
    func prefetch(_ hash: UInt64) {
        guard !items.isEmpty else { return }
        items.prefetch(place(hash).0)
    }

    /// Has room for as many as there are entries; what was remembered is forgotten when it grows.
    mutating func grow(for entries: Int) {
        guard entries > items.count else { return }
        items = [UInt16](repeating: 0, count: max(1024, items.count * 2))
    }

    private func place(_ hash: UInt64) -> (Int, UInt16) {
        let mixed = hash &* 0x9E37_79B9_7F4A_7C15
        return (
            Int(truncatingIfNeeded: mixed >> 30) & (items.count - 1),
            UInt16(truncatingIfNeeded: mixed >> 22 & 0xFF) << 8
        )
    }
}
