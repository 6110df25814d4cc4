//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A range of ages, for a summary by age.
package struct AgeBand: Hashable, Sendable {
    package var title: String
    /// Ages below this belong to it; nil: all that are left.
    package var limit: Duration?

    private static let day: Int64 = 86_400

    /// From young to old.
    package static let all: [AgeBand] = [
        AgeBand(title: "today", limit: .seconds(day)),
        AgeBand(title: "this week", limit: .seconds(7 * day)),
        AgeBand(title: "this month", limit: .seconds(30 * day)),
        AgeBand(title: "1 to 3 months", limit: .seconds(90 * day)),
        AgeBand(title: "3 to 12 months", limit: .seconds(365 * day)),
        AgeBand(title: "1 to 2 years", limit: .seconds(730 * day)),
        AgeBand(title: "older", limit: nil),
    ]

    package static func index(of age: Duration) -> Int {
        all.firstIndex { $0.limit.map { age < $0 } ?? true } ?? all.count - 1
    }
}
