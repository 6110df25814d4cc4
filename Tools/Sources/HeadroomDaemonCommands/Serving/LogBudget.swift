//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Limits the bytes of the log: ``perDay`` in 24 hours, and ``reserve`` at once. A value: it knows no clock.
///
/// So the log of any 24 hours is at most 12 MB long. At the limit, the log contains only some of the lines,
/// and the number of the others.
struct LogBudget {
    static let perDay = 8_000_000
    static let reserve = 4_000_000

    private var available = Double(reserve)
    private var last: Duration

    init(at uptime: Duration) { last = uptime }

    /// Takes bytes out of the budget.
    ///
    /// - Returns: false if there are not so many.
    mutating func take(_ bytes: Int, at uptime: Duration) -> Bool {
        let passed = max(.zero, uptime - last) / Duration.seconds(1)
        last = uptime
        available = min(
            Double(Self.reserve), available + passed * Double(Self.perDay) / 86_400)
        // mutation: r24e-6
        guard available >= Double(bytes) else { return false }
        available -= Double(bytes)
        return true
    }
}
