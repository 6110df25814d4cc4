//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension CacheIndex {
    /// Takes the entries in a record of the log: what opening a store consists of.
    ///
    /// The same as taking one after the other; what they come to is counted once for all.
    mutating func takeEntries(in payload: ArraySlice<UInt8>) {
        // What was evicted without a mark, and is back, is not among the unmarked any more.
        guard table.hasNoGaps, unmarked.isEmpty, unmarkedTooMany.isEmpty else {
            return forEachEntry(in: payload) { $0.take($1) }
        }
        var (liveBytes, fileBytes) = (Int64(0), Int64(0))
        // How many of each class, 21 bits each: a record cannot hold more.
        var packedCounts: UInt64 = 0
        var now = model.now
        var known: [StoreEntry] = []
        segments.withAccounts { accounts, first in
            unsafe known = table.append(
                payload.span.bytes, without: .ofThisProcess,
                where: { entry, place in
                    guard entry.isLive else { return false }
                    let size = entry.recordSize
                    if entry.isFile {
                        sessions.noticeFile(entry.place)
                        fileBytes &+= entry.fileAllocated
                    } else {
                        let index = Int(entry.segment) &- first
                        let end = Int(entry.offset) &+ size
                        guard index >= 0, index < accounts.count, end <= Int(UInt32.max),
                            accounts[index].take(end: UInt32(end), size)
                        else { return false }
                    }
                    liveBytes &+= Int64(size)
                    packedCounts &+= 1 &<< UInt64(truncatingIfNeeded: 21 &* entry.classCode)
                    if model.isAhead(entry.history, of: now) {
                        model.resume(entry.history)
                        now = model.now
                    }
                    hand.notice(place, entry)
                    return true
                })
        }
        for code in counts.indices {
            let shifted = packedCounts >> UInt64(21 * code)
            counts[code] += Int(shifted & (1 << 21 - 1))
        }
        self.liveBytes += liveBytes
        allocated += fileBytes
        for entry in known {
            note(entry, -1)
            _ = insert(entry)
        }
    }
}
