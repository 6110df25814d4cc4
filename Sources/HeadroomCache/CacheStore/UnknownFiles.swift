//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Files of a store that its log does not tell of, until they have been looked into.
struct UnknownFiles {
    var segments: [UInt32: Int64] = [:]
    var files: [UInt64: Int64] = [:]
    /// What has gone meanwhile, by hash, and when: it may stand in one of them.
    var gone: [UInt64: UInt64] = [:]
    /// How often the log was lost, damaged or replaced by one that did not follow it: then anything may be unknown.
    private(set) var losses = 0
    /// So many of them had been there when the files were listed last.
    private var listedLosses = 0
    /// The files have been listed once.
    private(set) var isListed = false
    /// Processes that have the store open and have said nothing since the log was lost.
    var silent: Set<UInt32> = []
    /// Files of theirs that are not whole, and have been counted.
    var unfinished: Set<UInt64> = []
    /// What went because of the number of entries: of what is under its key an older value may still be found, and
    /// until all is known its record has to say that it is not the latest.
    var evicted: [RecordPlace: StoreEntry] = [:]
    /// The same when all is known: to be removed now.
    var departing: [StoreEntry] = []
    /// Segments that count one record more as being written, lest they be removed before they have been looked into.
    var held: Set<UInt32> = []
    /// Files that are there and cannot be read, and what has been counted for them.
    private(set) var unreadable: [Item: Int64] = [:]
    /// Being looked into at this moment.
    private var inHand: Set<Item> = []
    /// Those that come next, the first of them last.
    private var queue: [Item] = []

    enum Item: Hashable {
        case segment(UInt32)
        case file(UInt64)
    }

    var isEmpty: Bool { segments.isEmpty && files.isEmpty && !isDue }

    /// The files are to be listed anew: nothing is taken, moved or removed before.
    var isDue: Bool { losses != listedLosses }

    mutating func noteLoss() { losses += 1 }

    /// - Parameter losses: nil: only what the log does not name at all was listed.
    mutating func noteListing(after losses: Int?) {
        isListed = true
        if let losses { listedLosses = max(listedLosses, losses) }
    }

    /// Something goes of which an older record may stand in one of them.
    mutating func noteGone(_ hash: UInt64, at sequence: UInt64) {
        if !isEmpty { gone[hash] = max(gone[hash] ?? 0, sequence) }
    }

    /// - Returns: what is to be looked into next, by nobody else until it is put back or finished; nil: others
    ///   look into all there is.
    mutating func next() -> Item? {
        if queue.isEmpty { queue = order() }
        while let item = queue.popLast() {
            guard isWaiting(item) else { continue }
            inHand.insert(item)
            return item
        }
        return nil
    }

    /// The youngest first, which are most likely to be asked for; what the log does not even name before what it
    /// does: of many processes that end soon each finds something.
    private func order() -> [Item] {
        let named = segments.filter { $0.value == 0 }.keys.shuffled()
        let unnamed = segments.filter { $0.value > 0 }.keys.sorted()
        let items =
            named.map { Item.segment($0) } + files.keys.sorted().map { .file($0) }
            + unnamed.map { .segment($0) }
        return items.filter(isWaiting)
    }

    private func isWaiting(_ item: Item) -> Bool { !inHand.contains(item) && isKnown(item) }

    private func isKnown(_ item: Item) -> Bool {
        switch item {
        case .segment(let number): segments[number] != nil
        case .file(let number): files[number] != nil
        }
    }

    /// - Returns: what is to be counted for a file that was found; nothing where it has been.
    mutating func note(_ item: Item, bytes: Int64) -> Int64 {
        let counted = unreadable[item]
        switch item {
        case .segment(let number): segments[number] = counted ?? bytes
        case .file(let number): files[number] = counted ?? bytes
        }
        return counted == nil ? bytes : 0
    }

    /// - Returns: what was counted for files that are not there any more, and could not be read.
    mutating func forget(unreadableNotAmong isThere: (Item) -> Bool) -> Int64 {
        // Those that wait once more are found to be gone then.
        let gone = unreadable.filter { !isThere($0.key) && !isKnown($0.key) }
        for item in gone.keys { unreadable[item] = nil }
        return gone.values.reduce(0, +)
    }

    /// It could not be looked into.
    mutating func putBack(_ item: Item) { inHand.remove(item) }

    /// - Returns: the bytes that are known of now; none of what is there and cannot be read.
    mutating func finish(_ item: Item, isReadable: Bool) -> Int64 {
        inHand.remove(item)
        let bytes =
            switch item {
            case .segment(let number): segments.removeValue(forKey: number) ?? 0
            case .file(let number): files.removeValue(forKey: number) ?? 0
            }
        guard isReadable else {
            // What the log names by now counts by that, and what was counted before goes when it is known.
            if bytes > 0 { unreadable[item] = bytes }
            return 0
        }
        return max(bytes, unreadable.removeValue(forKey: item) ?? 0)
    }
}
