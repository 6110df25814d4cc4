//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
import HeadroomPlatform
import Synchronization
public import SystemPackage

extension Automation {
    /// What would be done for a volume if a person said so, in the mode `ask`.
    public struct Proposal: Sendable {
        public var volume: FilePath
        /// Another each time that something is proposed: who asks for its plan names what was shown.
        public var id: String
        /// As it was planned.
        public var result: PolicyResult
    }

    /// What waits for a person's word, in the mode `ask`: by volume, in the order in which it would be done.
    public var proposed: [Proposal] {
        proposals.sorted { $0.key.string < $1.key.string }.flatMap { volume, waiting in
            waiting.entries.map { Proposal(volume: volume, id: $0.id, result: $0.result) }
        }
    }

    /// Takes that what a person has confirmed was purged: who keeps figures hears of it as of what a policy has.
    nonisolated func notePurge(byHand receipt: Receipt, volume: FilePath?) {
        tell(.purgedByHand(receipt, volume: volume))
    }

    /// Plans what was proposed as its order would carry it out now: with its own classes and targets, by the
    /// clock and the grace of this moment, and without what was left out of what was shown. Purges nothing.
    ///
    /// - Returns: nil if it does not wait any more. What nothing is missing for any more, or nothing may go for,
    ///   waits no longer.
    /// - Throws: ``HeadroomError`` if the volume, or what is on it, cannot be looked at.
    public func plan(proposal id: String) async throws(HeadroomError) -> PolicyProposal? {
        guard let (name, waiting) = proposals.first(where: { $0.value.entry(id) != nil }),
            var order = waiting.entry(id)?.order
        else { return nil }
        let holds = await work.ageRulesHold()
        order.step.goesByAge = order.step.goesByAge && holds
        order.withheld.formUnion(withheld(clockHolds: holds))
        let planned = Mutex<PolicyProposal?>(nil)
        order.propose = { proposal in
            planned.withLock { first in
                if first == nil, !proposal.isEmpty { first = proposal }
            }
        }
        let results = await work.run(order)
        if let proposal = planned.withLock({ $0 }) { return proposal }
        for result in results {
            if case .failed(let message) = result.outcome { throw HeadroomError(.io, message) }
        }
        proposals[name]?.remove(id)
        return nil
    }
}

/// What waits for a person's word for one volume.
struct WaitingOrders: Sendable {
    struct Entry: Sendable {
        let id: String
        let order: PolicyOrder
        /// As it was planned when it was proposed.
        let result: PolicyResult
    }

    private(set) var entries: [Entry] = []

    func entry(_ id: String) -> Entry? { entries.first { $0.id == id } }

    /// For what it was proposed that what is due goes; nil: that does not wait.
    var dueTrigger: CleaningTrigger? {
        entries.first { $0.order.step.purpose == .due }?.order.trigger
    }

    mutating func remove(_ id: String) { entries.removeAll { $0.id == id } }

    /// Takes what came of planning an order, in place of what waited for the same purpose.
    ///
    /// - Parameter steps: all that is asked for now: a level asks for nothing beside it any more.
    mutating func take(_ order: PolicyOrder, _ results: [PolicyResult], of steps: [PolicyStep]) {
        let purpose = order.step.purpose
        let asked = steps.map(\.purpose)
        entries.removeAll { entry in
            let other = entry.order.step.purpose
            return other == purpose || purpose.isLevel && other != .due && !asked.contains(other)
        }
        for result in results where result.plannedItems > 0 {
            var order = order
            // What helps with a part only was planned in parts: each is let go by itself.
            order.step = result.step
            order.propose = nil
            entries.append(Entry(id: Self.makeID(), order: order, result: result))
        }
    }

    /// Lets go what nothing is missing for any more.
    mutating func drop(metBy pressure: VolumePressure?) {
        // Of a volume that does not answer nobody knows.
        guard let pressure, pressure.state == .answering, let figures = pressure.figures else {
            return
        }
        entries.removeAll { entry in
            let step = entry.order.step
            return step.purpose != .due
                && step.needs.allSatisfy { $0.isMet(by: figures, pressure) }
        }
    }

    private static func makeID() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 36)
    }
}

extension PolicyNeed {
    /// Whether the level that asks for it was left, or as much is available as was to be.
    fileprivate func isMet(
        by figures: PressureReading.Figures, _ pressure: VolumePressure
    ) -> Bool {
        switch resource {
        case .bytes:
            level > pressure.bytesLevel || figures.available.bytes >= target
        case .inodes:
            level > pressure.inodesLevel
                || figures.availableInodes.map { Int64(clamping: $0) >= target } ?? true
        }
    }
}
