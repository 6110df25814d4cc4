//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine

extension JSONOutput {
    /// Writes when a volume reaches each level.
    package mutating func members(of forecast: Forecast) {
        let outlooks = [
            ("warning", forecast.warning), ("critical", forecast.critical), ("full", forecast.full),
        ]
        for (name, outlook) in outlooks {
            object(name) { json in
                switch outlook {
                case .unknown: json.field("state", "unknown")
                case .reached: json.field("state", "reached")
                case .expected(let expected):
                    json.field("state", "expected")
                    json.field("earliestSeconds", expected.earliest.components.seconds)
                    json.field("likelySeconds", expected.likely.components.seconds)
                    json.field("latestSeconds", expected.latest?.components.seconds)
                case .notExpected(let within, let earliest):
                    json.field("state", "notExpected")
                    json.field("withinSeconds", within.components.seconds)
                    json.field("earliestSeconds", earliest?.components.seconds)
                }
            }
        }
    }
}
