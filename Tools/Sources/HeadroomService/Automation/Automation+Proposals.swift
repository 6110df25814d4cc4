//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import SystemPackage

extension Automation {
    /// What would be done for a volume if a person said so, in the mode `ask`.
    public struct Proposal: Sendable {
        public var volume: FilePath
        /// Another whenever something else is proposed: who confirms names what was shown.
        public var id: String
        /// As it was planned.
        public var results: [PolicyResult]
    }
}

/// What waits for a person's word for one volume.
struct WaitingOrders: Sendable {
    private var entries: [(order: PolicyOrder, results: [PolicyResult])] = []
    private(set) var id = ""

    var orders: [PolicyOrder] { entries.map(\.order) }
    var results: [PolicyResult] { entries.flatMap(\.results) }

    /// Takes an order in place of one with the same purpose.
    mutating func add(_ order: PolicyOrder, _ results: [PolicyResult]) {
        entries.removeAll { $0.order.step.purpose == order.step.purpose }
        entries.append((order, results))
        var generator = SystemRandomNumberGenerator()
        id = String(generator.next() as UInt64, radix: 36)
    }
}
