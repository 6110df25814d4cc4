//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
import HeadroomRequests

/// A plan that somebody was shown, with what of it is not to go.
package struct KeptPlan: Sendable {
    let id: String
    /// Of the configuration that it goes by.
    let configuration: Int
    let created: Timestamp
    let expires: Timestamp
    /// In words.
    let target: String
    let whole: Plan
    let groups: PlanGroups
    /// What it answers, in the mode `ask`; nil: a person asked for it.
    var answered: Answered?
    /// What stays by somebody's choice, and with it.
    private(set) var staying: Set<Int> = []
    /// Without what stays.
    private(set) var rest: Plan
    /// Changes with what is chosen: who confirms names it.
    private(set) var digest = Self.makeDigest()
    /// What stays because something else does.
    private(set) var also: [Int] = []

    /// A proposal, by its id.
    struct Answered: Hashable, Sendable {
        var proposal: String
        /// What it was made for, for receipts: `warning, levelChange`.
        var cause: String
    }

    package init(
        _ plan: Plan, id: String, configuration: Int, target: String, now: Timestamp,
        lifetime: Duration
    ) {
        self.id = id
        self.configuration = configuration
        self.target = target
        created = now
        expires = now.advanced(by: lifetime)
        whole = plan
        rest = plan
        groups = plan.groups()
    }

    private static func makeDigest() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
    }

    /// The same with another choice. Blocks: O(entries).
    func keeping(_ chosen: Set<Int>) throws(HeadroomError) -> KeptPlan {
        var next = self
        let staying = whole.entriesStaying(with: chosen)
        next.also = staying.subtracting(chosen).sorted()
        guard staying != self.staying else { return next }
        next.rest = try whole.leavingOut(staying)
        next.staying = staying
        next.digest = Self.makeDigest()
        return next
    }

    /// What a request takes out, as entries.
    func entries(
        groups named: Set<Int>, entries: Set<Int>, except: Set<Int>
    ) throws(APIError) -> Set<Int> {
        if let index = entries.union(except).first(where: { !whole.indices.contains($0) }) {
            throw .notFound(
                "The plan has no entry \(index).", advice: "It has \(whole.count), counted from 0.")
        }
        if let group = named.first(where: { !groups.groups.indices.contains($0) }) {
            throw .notFound("The plan has no group \(group).", advice: "The plan lists its groups.")
        }
        guard !named.isEmpty else { return entries.subtracting(except) }
        var chosen = entries
        for index in whole.indices where named.contains(groups.number(ofEntry: index)) {
            chosen.insert(index)
        }
        return chosen.subtracting(except)
    }
}
