//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which entries went not long ago: those that are put again meanwhile had better stayed.
///
/// Four bytes for every eighth entry. A place is taken by whatever goes next and falls on it, so that as many
/// evictions are remembered as there are places, on average.
struct RecentEvictions {
    private var marks: [UInt32] = []
    /// Entries that were put again soon after they had gone, and the bytes of their records.
    private(set) var regrets = 0
    private(set) var regretBytes: Int64 = 0

    private static let least = 1024
    private static let most = 1 << 16

    var memory: Int { marks.count * MemoryLayout<UInt32>.stride }

    /// - Parameter entries: how many there are in the store.
    mutating func remember(_ hash: UInt64, among entries: Int) {
        if entries > marks.count * 8, marks.count < Self.most {
            // What was remembered is forgotten.
            marks = [UInt32](repeating: 0, count: max(Self.least, marks.count * 2))
        }
        if marks.isEmpty { return }
        let (place, mark) = place(hash)
        marks[place] = mark
    }

    /// An entry is put that was not there.
    mutating func noticePut(_ hash: UInt64, bytes: Int) {
        if marks.isEmpty { return }
        let (place, mark) = place(hash)
        guard marks[place] == mark else { return }
        marks[place] = 0
        regrets += 1
        regretBytes += Int64(bytes)
    }

    private func place(_ hash: UInt64) -> (Int, UInt32) {
        let mixed = hash &* 0x9E37_79B9_7F4A_7C15
        // Never 0, which is no entry.
        return (
            Int(truncatingIfNeeded: mixed >> 40) & (marks.count - 1),
            UInt32(truncatingIfNeeded: mixed) | 1
        )
    }
}
