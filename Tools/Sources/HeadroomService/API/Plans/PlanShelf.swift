//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import HeadroomPlatform
package import HeadroomRequests

/// The plans that were shown and may be confirmed.
///
/// A plan refers to its inventory, which may be large: so few are kept, and not for long.
package actor PlanShelf {
    private var plans: [KeptPlan] = []
    /// Of which plans are kept.
    private var configuration = 0
    private let now: @Sendable () -> Timestamp

    static let limit = 16
    /// Plans of one inventory share it; of so many different ones some are kept.
    static let inventories = 3
    package static let lifetime: Duration = .seconds(1_800)

    package init(now: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.now = now
    }

    /// - Throws: 503 for a plan by another configuration than that of now.
    package func keep(_ plan: KeptPlan) throws(APIError) {
        guard plan.configuration == configuration else { throw .reconfigured }
        forgetOld()
        plans.append(plan)
        while plans.count > Self.limit || distinctInventories > Self.inventories {
            plans.removeFirst()
        }
    }

    package var count: Int { plans.count }

    private var distinctInventories: Int {
        Set(plans.map { ObjectIdentifier($0.whole.inventory) }).count
    }

    /// Lets go what cannot be confirmed any more, and the inventories with it.
    func forgetOld() {
        let time = now()
        // Of one from the future, by a clock that was set back, nobody knows how old it is.
        plans.removeAll { $0.expires <= time || $0.created > time }
    }

    package func plan(_ id: String) throws(APIError) -> KeptPlan {
        forgetOld()
        guard let plan = plans.first(where: { $0.id == id }) else { throw .notFound(id) }
        return plan
    }

    /// Takes another choice, unless the plan has been changed or taken meanwhile.
    ///
    /// - Parameter digest: of the choice that it was made from.
    func replace(_ plan: KeptPlan, if digest: String) throws(APIError) {
        forgetOld()
        guard let index = plans.firstIndex(where: { $0.id == plan.id }) else {
            throw .notFound(plan.id)
        }
        guard plans[index].digest == digest else { throw .selectionChanged }
        plans[index] = plan
    }

    func forget(_ id: String) throws(APIError) {
        _ = try plan(id)
        plans.removeAll { $0.id == id }
    }

    /// Another configuration: what was planned may not hold.
    func reset(_ number: Int) {
        configuration = number
        plans = []
    }

    /// Looks at a plan that is about to be carried out.
    ///
    /// - Throws: 409 unless it is there, and what was confirmed is what is chosen.
    func confirmed(_ id: String, digest: String) throws(APIError) -> KeptPlan {
        forgetOld()
        guard let plan = plans.first(where: { $0.id == id }) else { throw .planUnknown }
        guard plan.digest == digest else { throw .selectionChanged }
        return plan
    }

    /// Takes a plan away to be carried out: it is so once.
    func take(_ id: String, digest: String) throws(APIError) -> KeptPlan {
        let plan = try confirmed(id, digest: digest)
        plans.removeAll { $0.id == id }
        return plan
    }

    /// Puts a plan back that could not be begun; one of another configuration is forgotten.
    package func giveBack(_ plan: KeptPlan) { try? keep(plan) }
}

extension APIError {
    fileprivate static func notFound(_ id: String) -> APIError {
        .notFound(
            "There is no plan “\(id.prefix(80))”: it was carried out, has expired, or was never made.",
            advice: "Make a new plan.")
    }

    static let planUnknown = APIError.conflict(
        "plan-unknown",
        "The plan that was confirmed is not known: it was carried out, has expired, or is of another "
            + "run of the service.", advice: "Make a new plan, look at it, and confirm that.")

    static let selectionChanged = APIError.conflict(
        "selection-changed",
        "What was confirmed is not what is chosen now: the plan was changed elsewhere.",
        advice: "Look at the plan again, and confirm what it says then.")
}
