//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The fastest that an amount has fallen between two readings of a window of time.
struct FastestRate: Hashable, Sendable {
    private struct Rate: Hashable {
        var time: Duration
        /// By how much a second.
        var fall: Double
    }

    private struct Reading: Hashable {
        var time: Duration
        var amount: Double
    }

    /// By time; each slower than the one before it, since a slower one that is older never counts again.
    private var rates: [Rate] = []
    private var last: Reading?

    /// By how much a second, at its fastest; nil if it has not fallen.
    var fastest: Double? { rates.first?.fall }

    /// - Parameters:
    ///   - span: readings that are closer together than this are taken for one.
    mutating func add(_ amount: Double, at time: Duration, window: Duration, span: Duration) {
        if let last {
            let passed = time - last.time
            guard passed >= span, passed > .zero else { return forget(before: time - window) }
            let fall = (last.amount - amount) / passed.inSeconds
            if fall > 0 {
                while let slower = rates.last, slower.fall <= fall { rates.removeLast() }
                rates.append(Rate(time: time, fall: fall))
            }
        }
        last = Reading(time: time, amount: amount)
        forget(before: time - window)
    }

    /// What comes next is not to be compared with what came before.
    mutating func interrupt() { last = nil }

    private mutating func forget(before time: Duration) {
        let old = rates.prefix { $0.time < time }.count
        if old > 0 { rates.removeFirst(old) }
    }
}

extension Duration {
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// Clamped to what nobody waits for.
    package init(inSeconds seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12))
    }
}
