//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The least first; what is not true any more is passed over by who takes it.
struct LazyHeap {
    private var items: [(order: Double, key: Int)] = []

    mutating func push(_ order: Double, _ key: Int) {
        items.append((order, key))
        var index = items.count - 1
        while index > 0, items[(index - 1) / 2].order > items[index].order {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func pop() -> (order: Double, key: Int)? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        items[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < items.count && items[child].order < items[least].order {
                least = child
            }
            if least == index { return first }
            items.swapAt(index, least)
            index = least
        }
    }
}

/// Greedy-Dual-Size-Frequency: uses by cost and size, over what the last that went was worth.
/// Cherkasova, HP Labs 1998.
struct GreedyDualModel: HitModel {
    private let input: HitModelInput
    private var heap = LazyHeap()
    private var worth: [Double]
    private var uses: [Double]
    private var level = 0.0
    private var bytes: Int64 = 0

    init(_ input: HitModelInput) {
        self.input = input
        worth = [Double](repeating: -1, count: input.count)
        uses = worth
    }

    mutating func request(_ key: Int) -> Bool {
        let isThere = worth[key] >= 0
        let size = input.trace.weight(key)
        guard size <= input.capacity else { return false }
        if !isThere {
            uses[key] = 0
            while bytes + size > input.capacity, let least = heap.pop() {
                guard worth[least.key] == least.order else { continue }
                worth[least.key] = -1
                bytes -= input.trace.weight(least.key)
                level = least.order
            }
            bytes += size
        }
        uses[key] += 1
        worth[key] = level + uses[key] * input.trace.cost(key) / Double(size)
        heap.push(worth[key], key)
        return isThere
    }
}

/// Knows the future: what is used again last goes first, by its size where sizes differ (which is
/// no bound then, but near one).
struct ForesightModel: HitModel {
    private let input: HitModelInput
    private let isSized: Bool
    /// For each request when its object is asked for again.
    private var following: [Double]
    private var next: [Double]
    private var members: [Int] = []
    private var position: [Int]
    private var heap = LazyHeap()
    private var draw = Draw(seed: 77)
    private var now = 0
    private var bytes: Int64 = 0

    init(_ input: HitModelInput) {
        self.input = input
        isSized = Set(input.trace.sizes.prefix(1000)).count > 1
        let requests = input.trace.requests
        following = [Double](repeating: 1e12, count: requests.count)
        next = [Double](repeating: 1e12, count: input.count)
        position = [Int](repeating: -1, count: input.count)
        for index in requests.indices.reversed() {
            following[index] = next[Int(requests[index])]
            next[Int(requests[index])] = Double(index)
        }
    }

    mutating func request(_ key: Int) -> Bool {
        let isThere = position[key] >= 0
        next[key] = following[now]
        now += 1
        if !isSized { heap.push(-next[key], key) }
        if !isThere {
            position[key] = members.count
            members.append(key)
            bytes += input.trace.weight(key)
            while bytes > input.capacity { evict() }
        }
        return isThere
    }

    private mutating func evict() {
        var victim = -1
        if isSized {
            var worst = -1.0
            for _ in 0..<128 {
                let key = members[draw.below(members.count)]
                let score =
                    (next[key] - Double(now)) * Double(input.trace.weight(key))
                    / input.trace.cost(key)
                if score > worst { (worst, victim) = (score, key) }
            }
        } else {
            while let least = heap.pop() {
                victim = least.key
                if position[victim] >= 0, -least.order == next[victim] { break }
            }
        }
        bytes -= input.trace.weight(victim)
        let place = position[victim]
        members[place] = members[members.count - 1]
        position[members[place]] = place
        members.removeLast()
        position[victim] = -1
    }
}
