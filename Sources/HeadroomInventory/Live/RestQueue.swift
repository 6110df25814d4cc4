//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Files that changed lately, to be looked at once more when the system has had time to write them.
///
/// What a file occupies may change then: blocks that were held ready are given back, others are needed
/// to find those of a scattered file. Nothing tells of that.
struct RestQueue {
    private let time: Duration
    private var waiting: [Entry] = []
    private var first = 0
    private var known: Set<Key> = []
    private static let limit = 1 << 16

    struct Key: Hashable {
        /// What changes in its directory are told as.
        var watch: UInt32
        var name: FileName
    }

    private struct Entry {
        var key: Key
        var due: ContinuousClock.Instant
    }

    init(time: Duration) { self.time = time }

    /// Beyond the limit the oldest are given up.
    mutating func add(_ examined: [(watch: UInt32, name: FileName)]) {
        let due = ContinuousClock.now + time
        for (watch, name) in examined where watch != 0 {
            let key = Key(watch: watch, name: name)
            if known.insert(key).inserted { waiting.append(Entry(key: key, due: due)) }
        }
        while waiting.count - first > Self.limit {
            known.remove(waiting[first].key)
            first += 1
        }
    }

    mutating func takeDue() -> [Key] {
        let now = ContinuousClock.now
        var due: [Key] = []
        while first < waiting.count, waiting[first].due <= now {
            due.append(waiting[first].key)
            known.remove(waiting[first].key)
            first += 1
        }
        if first > 1024, first > waiting.count / 2 {
            waiting.removeFirst(first)
            first = 0
        }
        return due
    }
}
