//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine

extension JSONWriter {
    /// Writes when a volume reaches each level.
    package mutating func members(of forecast: Forecast) {
        let outlooks = [
            ("warning", forecast.warning), ("critical", forecast.critical), ("full", forecast.full),
        ]
        for (name, outlook) in outlooks {
            object(name) { json in
                switch outlook {
                case .unknown: json.member("state", "unknown")
                case .reached: json.member("state", "reached")
                case .expected(let expected):
                    json.member("state", "expected")
                    json.member("earliestSeconds", expected.earliest.components.seconds)
                    json.member("likelySeconds", expected.likely.components.seconds)
                    json.member("latestSeconds", expected.latest?.components.seconds)
                case .notExpected(let within, let earliest):
                    json.member("state", "notExpected")
                    json.member("withinSeconds", within.components.seconds)
                    json.member("earliestSeconds", earliest?.components.seconds)
                }
            }
        }
    }
}
