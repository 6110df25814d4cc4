//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomTestSupport

/// Requests to a cache, made from a seed.
struct HitTrace {
    let name: String
    /// What is asked for, in order: numbers of objects.
    let requests: [UInt32]
    /// The bytes of each object.
    let sizes: [UInt32]
    /// What it costs to get each object again, in milliseconds; empty: all the same.
    var costs: [Double] = []
    /// Limits of the cache, as shares of all objects that are asked for.
    var shares = [0.01, 0.05, 0.1, 0.25]

    /// Bytes of all objects that are asked for, with what a record needs beside its value.
    var footprint: Int64 {
        var isAsked = [Bool](repeating: false, count: sizes.count)
        for key in requests { isAsked[Int(key)] = true }
        return sizes.indices.reduce(0) { $0 + (isAsked[$1] ? weight($1) : 0) }
    }

    func weight(_ key: Int) -> Int64 { Int64((64 + 32 + Int(sizes[key]) + 7) & ~7) }

    func cost(_ key: Int) -> Double { costs.isEmpty ? 1 : costs[key] }

    /// All of them.
    ///
    /// - Parameter scale: 1 for a million requests each.
    static func all(scale: Double) -> [HitTrace] {
        let length = Int(1e6 * scale)
        let objects = max(2_000, Int(1e5 * scale))
        let small = [UInt32](repeating: 4096, count: objects)
        var traces: [HitTrace] = []
        for (alpha, seed) in [(0.8, 8), (1.0, 10), (1.2, 12)] {
            var draw = Draw(seed: UInt64(seed))
            let zipf = Zipf(objects, alpha, &draw)
            traces.append(
                HitTrace(
                    name: "Zipf \(alpha)", requests: (0..<length).map { _ in zipf.next(&draw) },
                    sizes: small))
        }
        traces.append(scans(length, objects))
        traces.append(loop(length, objects / 4))
        traces.append(shifting(length, objects))
        traces += skewed(length, objects / 4)
        return traces
    }

    /// A third are scans over what is asked for once.
    private static func scans(_ length: Int, _ objects: Int) -> HitTrace {
        var draw = Draw(seed: 21)
        let zipf = Zipf(objects / 2, 1.0, &draw)
        var requests: [UInt32] = []
        var next = UInt32(objects / 2)
        while requests.count < length {
            for _ in 0..<objects / 10 { requests.append(zipf.next(&draw)) }
            for _ in 0..<objects / 20 {
                requests.append(next)
                next += 1
            }
        }
        return HitTrace(
            name: "Zipf 1.0 and scans", requests: requests,
            sizes: [UInt32](repeating: 4096, count: Int(next)))
    }

    /// One after the other, again and again.
    private static func loop(_ length: Int, _ objects: Int) -> HitTrace {
        HitTrace(
            name: "Loop", requests: (0..<length).map { UInt32($0 % objects) },
            sizes: [UInt32](repeating: 4096, count: objects), shares: [0.5, 0.75, 0.9, 0.95])
    }

    /// What is popular is so for a while only.
    private static func shifting(_ length: Int, _ objects: Int) -> HitTrace {
        var draw = Draw(seed: 33)
        let zipf = Zipf(objects, 1.0, &draw)
        var order = (0..<UInt32(objects)).map { $0 }
        let period = max(1, length / 20)
        var requests: [UInt32] = []
        for number in 0..<length {
            if number % period == 0 {
                for _ in 0..<objects / 5 {
                    order.swapAt(draw.below(objects), draw.below(objects))
                }
            }
            requests.append(order[Int(zipf.next(&draw))])
        }
        return HitTrace(
            name: "Zipf 1.0, shifting", requests: requests,
            sizes: [UInt32](repeating: 4096, count: objects))
    }

    /// 200 bytes to 2 MB, log-normal; popularity does not depend on the size.
    private static func skewed(_ length: Int, _ objects: Int) -> [HitTrace] {
        var draw = Draw(seed: 44)
        let zipf = Zipf(objects, 0.9, &draw)
        let sizes = (0..<objects).map { _ in
            UInt32(min(2e6, max(200, 10_000 * exp(1.8 * draw.normal()))))
        }
        let requests = (0..<length).map { _ in zipf.next(&draw) }
        let plain = HitTrace(name: "Zipf 0.9, skewed sizes", requests: requests, sizes: sizes)
        var priced = HitTrace(
            name: "Zipf 0.9, sizes and costs", requests: requests, sizes: sizes)
        // A way there and back, what is carried, and what some of it takes to be worked out.
        priced.costs = sizes.map { 20 + Double($0) / 2_000 + 50 * exp(1.5 * draw.normal()) }
        return [plain, priced]
    }
}

/// Random numbers of several kinds.
struct Draw {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// From 0 to 1, without 1.
    mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

    mutating func below(_ count: Int) -> Int { Int(unit() * Double(count)) }

    /// Mean 0, deviation 1 (Box and Muller).
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
}

/// Numbers of objects whose popularity falls with a power of their rank.
struct Zipf {
    private var sums: [Double] = []
    private var order: [UInt32]

    /// - Parameter draw: mixes the order, so that numbers tell nothing of ranks.
    init(_ count: Int, _ alpha: Double, _ draw: inout Draw) {
        var sum = 0.0
        for rank in 1...count {
            sum += pow(Double(rank), -alpha)
            sums.append(sum)
        }
        order = (0..<UInt32(count)).map { $0 }
        for index in order.indices.dropFirst() { order.swapAt(index, draw.below(index + 1)) }
    }

    func next(_ draw: inout Draw) -> UInt32 {
        let wanted = draw.unit() * (sums.last ?? 0)
        var low = 0
        var high = sums.count - 1
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return order[low]
    }
}
