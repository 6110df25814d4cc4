//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Learns how long it takes until entries are used again, from how long ago and how often they were.
///
/// For each of 16 frequencies and 96 ages it counts how many entries were used and how many went:
/// that gives the chance of a use while an entry is so old, and that the best rate at which uses can be
/// had by waiting on (the index of Gittins). As in LHD (Beckmann, Chen and Cidon, NSDI 2018) nothing
/// is supposed of how an app asks: what comes round in a loop is worth more the older it is.
package struct ReuseModel {
    package static let classCount = 16
    /// Four for each octave of age.
    package static let bucketCount = 96
    /// Uses that count as much as what is supposed before anything is known.
    private static let prior: Float = 4

    private var uses = [Float](repeating: 0, count: classCount * bucketCount)
    private var ends = [Float](repeating: 0, count: classCount * bucketCount)
    /// The time until the next use that is to be reckoned with, by class and age.
    package private(set) var waits = [Float](repeating: 1, count: classCount * bucketCount)
    private var count: UInt64 = 1
    /// Several uses are one moment in a store with very many entries.
    private(set) var shift: UInt64 = 0
    private var due = 0
    private var random: UInt32 = 0x9E37_79B9
    /// In which what was counts half, in moments.
    private var halfLife: Float = 1
    private var isEmpty = true

    package init() { learn(entries: 1) }

    // MARK: - Time

    package var now: UInt32 { UInt32(truncatingIfNeeded: count >> shift) & UseHistory.momentMask }

    @inline(__always)
    static func age(_ history: UseHistory, at now: UInt32) -> UInt32 {
        (now &- history.moment) & UseHistory.momentMask
    }

    /// Where ``waits`` has what is known of an entry.
    @inline(__always)
    static func cell(_ history: UseHistory, at now: UInt32) -> Int {
        min(classCount - 1, Int(history.frequency) / 8) * bucketCount
            + bucket(age(history, at: now))
    }

    @inline(__always)
    private static func bucket(_ age: UInt32) -> Int {
        guard age >= 4 else { return Int(age) }
        let exponent = 31 - age.leadingZeroBitCount
        return min(bucketCount - 1, (exponent - 1) * 4 + Int(age >> (exponent - 2) & 3))
    }

    /// The first age of a bucket.
    private static func start(_ bucket: Int) -> Float {
        guard bucket >= 4 else { return Float(bucket) }
        return Float(
            sign: .plus, exponent: bucket / 4 - 1, significand: Float(4 + bucket % 4))
    }

    /// Whether an entry was written down later than a moment.
    @inline(__always)
    func isAhead(_ history: UseHistory, of now: UInt32) -> Bool {
        let ahead = (history.moment &- now) & UseHistory.momentMask
        return ahead != 0 && ahead < UseHistory.momentMask / 2 || isEmpty
    }

    /// Takes up the time at which an entry was written down.
    mutating func resume(_ history: UseHistory) {
        let ahead = (history.moment &- now) & UseHistory.momentMask
        if isEmpty {
            count = UInt64(max(1, history.moment)) << shift
            isEmpty = false
        } else if ahead < UseHistory.momentMask / 2 {
            count &+= UInt64(ahead) << shift
        }
    }

    /// Makes moments longer if there are so many entries that they would come round too soon.
    ///
    /// - Returns: whether the moments of all entries have to be halved.
    mutating func coarsen(for entries: Int) -> Bool {
        guard entries >> 18 > 1 << shift else { return false }
        shift += 1
        learn(entries: entries)
        return true
    }

    /// The history of an entry, in moments twice as long.
    func halved(_ history: UseHistory) -> UseHistory {
        let before = UInt32(truncatingIfNeeded: count >> (shift - 1)) & UseHistory.momentMask
        let age = Self.age(history, at: before) / 2
        return UseHistory(
            moment: (now &- age) & UseHistory.momentMask, frequency: history.frequency)
    }

    // MARK: - What happens

    /// An entry is there; it may have been before.
    mutating func begin(frequency: UInt8) -> UseHistory {
        count &+= 1
        return UseHistory(moment: now, frequency: frequency)
    }

    /// An entry is used.
    mutating func use(_ history: UseHistory) -> UseHistory {
        count &+= 1
        uses[Self.cell(history, at: now)] += 1
        return UseHistory(moment: now, frequency: frequencyAfter(history))
    }

    /// An entry goes.
    mutating func end(_ history: UseHistory) {
        ends[Self.cell(history, at: now)] += 1
    }

    /// With its last use counted in, and what was before faded.
    mutating func frequencyAfter(_ history: UseHistory) -> UInt8 {
        let age = Float(Self.age(history, at: now))
        let past = Self.frequency(Float(history.frequency)) * (-age / halfLife).exp2
        // By chance up or down, so that many small steps come to the right sum.
        random = random &* 1_664_525 &+ 1_013_904_223
        // In one expression, it takes the compiler some seconds.
        let chance = Float(random >> 8) / 0x1p24
        let code: Float = (past + 2).log2 * 16 + chance
        return UInt8(min(255, code))
    }

    private static func frequency(_ code: Float) -> Float { (code / 16).exp2 - 1 }

    // MARK: - Learning

    /// Works out the waits anew every few thousand calls, twice for each entry there is.
    mutating func learnIfDue(entries: Int) {
        due -= 1
        if due <= 0 { learn(entries: entries) }
    }

    /// - Complexity: some hundred thousand steps at most, whatever there is.
    private mutating func learn(entries: Int) {
        let population = Float(max(64, entries >> Int(shift)))
        due = max(4096, 2 * entries)
        halfLife = 16 * max(4096, population)
        let widths = (0..<Self.bucketCount).map { Self.start($0 + 1) - Self.start($0) }
        for number in 0..<Self.classCount {
            learn(number, widths, population)
        }
        for index in uses.indices {
            uses[index] *= 0.8
            ends[index] *= 0.8
        }
    }

    private mutating func learn(_ number: Int, _ widths: [Float], _ population: Float) {
        let base = number * Self.bucketCount
        let frequency = Self.frequency(Float(number) * 8 + 4)
        // For each age: the share of entries that are used while they are so old, and the time that
        // passes meanwhile.
        var used = [Float](repeating: 0, count: Self.bucketCount)
        var passed = used
        var older: Float = 0
        for bucket in (0..<Self.bucketCount).reversed() {
            let here = uses[base + bucket] + ends[base + bucket]
            let exposure = (older + here / 2) * widths[bucket]
            older += here
            let supposed =
                (0.05 + frequency) / ((1 + frequency) * population + Self.start(bucket))
            let rate =
                (uses[base + bucket] + Self.prior) / (exposure + Self.prior / supposed)
            used[bucket] = 1 - (-1.442695 * rate * widths[bucket]).exp2
            passed[bucket] = used[bucket] / rate
        }
        // The best rate that there is, however long one waits.
        for bucket in 0..<Self.bucketCount {
            var (left, time, gain, best) = (Float(1), Float(0), Float(0), Float(0))
            for later in bucket..<Self.bucketCount where left > 0.01 {
                gain += left * used[later]
                time += left * passed[later]
                left *= 1 - used[later]
                best = max(best, gain / time)
            }
            waits[base + bucket] = best > 1e-12 ? 1 / best : 1e12
        }
    }
}

extension Float {
    /// Two to the power of it, within half a hundredth.
    var exp2: Float {
        guard self > -100 else { return 0 }
        let whole = rounded(.down)
        let fraction = self - whole
        return Float(sign: .plus, exponent: Int(whole), significand: 1)
            * (1 + fraction * (0.6565 + 0.3435 * fraction))
    }

    /// The logarithm to two of a positive number, within a hundredth.
    var log2: Float {
        let fraction = significand - 1
        return Float(exponent) + fraction * (1.3425 - 0.3425 * fraction)
    }
}
