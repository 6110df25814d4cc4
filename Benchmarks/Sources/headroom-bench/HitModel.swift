//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A cache of an exact and simple kind: a list of objects and nothing else, to compare with.
protocol HitModel {
    /// Whether an object is there; it is afterwards, if the model lets it in.
    mutating func request(_ key: Int) -> Bool
}

/// What each model is made from.
struct HitModelInput {
    let trace: HitTrace
    let capacity: Int64

    var count: Int { trace.sizes.count }
}

/// Objects in a row, each in it at most once: numbers for links.
struct ObjectList {
    private var before: [Int32]
    private var after: [Int32]
    private(set) var first = -1
    private(set) var last = -1
    var bytes: Int64 = 0

    init(_ count: Int) {
        before = [Int32](repeating: -1, count: count)
        after = before
    }

    mutating func prepend(_ key: Int) {
        before[key] = -1
        after[key] = Int32(first)
        if first >= 0 { before[first] = Int32(key) } else { last = key }
        first = key
    }

    mutating func remove(_ key: Int) {
        let (one, other) = (Int(before[key]), Int(after[key]))
        if one >= 0 { after[one] = Int32(other) } else { first = other }
        if other >= 0 { before[other] = Int32(one) } else { last = one }
    }

    /// The next towards the first.
    func before(_ key: Int) -> Int { Int(before[key]) }
}

/// The exact order of last use, or of creation.
struct ListModel: HitModel {
    private let input: HitModelInput
    private let movesUsed: Bool
    private var list: ObjectList
    private var isThere: [Bool]

    init(_ input: HitModelInput, movesUsed: Bool) {
        self.input = input
        self.movesUsed = movesUsed
        list = ObjectList(input.count)
        isThere = [Bool](repeating: false, count: input.count)
    }

    mutating func request(_ key: Int) -> Bool {
        if isThere[key] {
            if movesUsed {
                list.remove(key)
                list.prepend(key)
            }
            return true
        }
        let size = input.trace.weight(key)
        guard size <= input.capacity else { return false }
        while list.bytes + size > input.capacity {
            let victim = list.last
            list.remove(victim)
            list.bytes -= input.trace.weight(victim)
            isThere[victim] = false
        }
        list.prepend(key)
        list.bytes += size
        isThere[key] = true
        return false
    }
}

/// SIEVE, as in its paper.
struct SieveModel: HitModel {
    private let input: HitModelInput
    private var list: ObjectList
    private var isThere: [Bool]
    private var isVisited: [Bool]
    private var hand = -1

    init(_ input: HitModelInput) {
        self.input = input
        list = ObjectList(input.count)
        isThere = [Bool](repeating: false, count: input.count)
        isVisited = isThere
    }

    mutating func request(_ key: Int) -> Bool {
        if isThere[key] {
            isVisited[key] = true
            return true
        }
        let size = input.trace.weight(key)
        guard size <= input.capacity else { return false }
        while list.bytes + size > input.capacity {
            var place = hand >= 0 ? hand : list.last
            while isVisited[place] {
                isVisited[place] = false
                place = list.before(place)
                if place < 0 { place = list.last }
            }
            hand = list.before(place)
            list.remove(place)
            list.bytes -= input.trace.weight(place)
            isThere[place] = false
        }
        list.prepend(key)
        list.bytes += size
        isThere[key] = true
        isVisited[key] = false
        return false
    }
}

/// S3-FIFO: a small queue for what is new, a large one for what was used, and the names of what went.
/// Yang et al., “FIFO queues are all you need for cache eviction”, SOSP 2023.
struct QueuesModel: HitModel {
    private enum Home { case none, small, main }

    private let input: HitModelInput
    private var small: ObjectList
    private var main: ObjectList
    private var ghosts: ObjectList
    private var home: [Home]
    private var isGhost: [Bool]
    private var uses: [UInt8]

    init(_ input: HitModelInput) {
        self.input = input
        small = ObjectList(input.count)
        main = small
        ghosts = small
        home = [Home](repeating: .none, count: input.count)
        isGhost = [Bool](repeating: false, count: input.count)
        uses = [UInt8](repeating: 0, count: input.count)
    }

    mutating func request(_ key: Int) -> Bool {
        if home[key] != .none {
            uses[key] = min(3, uses[key] + 1)
            return true
        }
        let size = input.trace.weight(key)
        guard size <= input.capacity else { return false }
        while small.bytes + main.bytes + size > input.capacity { evict() }
        uses[key] = 0
        if isGhost[key] {
            forgetGhost(key)
            insertMain(key)
        } else {
            small.prepend(key)
            small.bytes += size
            home[key] = .small
        }
        return false
    }

    private mutating func insertMain(_ key: Int) {
        main.prepend(key)
        main.bytes += input.trace.weight(key)
        home[key] = .main
    }

    private mutating func forgetGhost(_ key: Int) {
        ghosts.remove(key)
        ghosts.bytes -= input.trace.weight(key)
        isGhost[key] = false
    }

    private mutating func evict() {
        if small.bytes * 10 >= input.capacity || main.last < 0 {
            while small.last >= 0 {
                let key = small.last
                small.remove(key)
                small.bytes -= input.trace.weight(key)
                if uses[key] > 1 {
                    insertMain(key)
                    uses[key] = 0
                    continue
                }
                home[key] = .none
                ghosts.prepend(key)
                ghosts.bytes += input.trace.weight(key)
                isGhost[key] = true
                while ghosts.bytes * 10 > input.capacity * 9 { forgetGhost(ghosts.last) }
                return
            }
        }
        while main.last >= 0 {
            let key = main.last
            main.remove(key)
            if uses[key] > 0 {
                uses[key] -= 1
                main.prepend(key)
                continue
            }
            main.bytes -= input.trace.weight(key)
            home[key] = .none
            return
        }
    }
}
