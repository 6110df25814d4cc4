//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Hummingbird
import SystemPackage

extension ServiceAPI {
    func addPlans(to routes: inout APIRoutes) {
        routes.on(.post, "/plans") { [self] request in
            APIAnswer.json(try await makePlan(request), status: .created)
        }
        routes.on(.get, "/plans/{id}") { [self] request in
            let plan = try await plans.plan(request.id)
            return APIAnswer.json(try await queue.run { APIPlan(plan) })
        }
        routes.on(.delete, "/plans/{id}") { [self] request in
            try await plans.forget(request.id)
            return APIAnswer.nothing
        }
        let parameters: Set<String> = ["group", "sort", "limit", "cursor"]
        routes.on(.get, "/plans/{id}/entries", parameters: parameters) { [self] request in
            APIAnswer.json(try await entries(request))
        }
        routes.on(.put, "/plans/{id}/selection") { [self] request in
            APIAnswer.json(try await select(request))
        }
        routes.on(.post, "/purges") { [self] request in
            APIAnswer.json(["job": try await purge(request)], status: .accepted)
        }
    }

    // MARK: - Planning

    private func makePlan(_ request: APIRequest) async throws -> APIPlan {
        var members = try await request.members()
        if let proposal = try members.text("proposal", limit: 200) {
            try members.finish()
            return try await makePlan(ofProposal: proposal)
        }
        let wanted = try WantedPlan(members)
        let situation = try situation()
        let seen = try await inventories.current(.areas, in: situation)
        let kept = try await queue.run { try Self.plan(wanted, seen, situation) }
        try await plans.keep(kept)
        return try await queue.run { APIPlan(kept) }
    }

    private static func plan(
        _ wanted: WantedPlan, _ seen: SeenInventory, _ situation: APISituation
    ) throws -> KeptPlan {
        situation.workspace.ledger.refresh()
        var request = try seen.scope.request(targets: [wanted.target], through: wanted.through)
        if let path = wanted.volume { request.volume = try volumeState(path, situation) }
        var plan = Planner.plan(seen.inventory, request)
        if let only = wanted.onlyClass {
            plan = try plan.leavingOut(
                Set(plan.indices.filter { plan.purgeClass(at: $0) != only }))
        }
        return KeptPlan(
            plan, id: JobBoard.makeID() + JobBoard.makeID(), configuration: situation.number,
            target: wanted.description, now: situation.workspace.clock(),
            lifetime: PlanShelf.lifetime)
    }

    private static func volumeState(
        _ path: FilePath, _ situation: APISituation
    ) throws -> PlanRequest.VolumeState {
        let volume = try MountedVolumes.volume(at: path)
        let thresholds = situation.configuration.settings(of: volume).thresholds
        let warning = thresholds.warning.bytes(of: volume.figures?.total ?? .zero)
        let level = thresholds.level(of: volume)
        // A level is left only at a distance from its threshold.
        let normal =
            level == .normal || level == nil
            ? warning : ByteCount(Int64(Double(warning.bytes) * thresholds.leavingFactor))
        guard let state = PlanRequest.VolumeState(volume, normalFrom: normal) else {
            throw APIError.unavailable(
                "The volume at \(path.displayText.apiShort) does not say how full it is.")
        }
        return state
    }

    // MARK: - Entries

    private enum Sorting: String, CaseIterable {
        case order, bytes
    }

    private func entries(_ request: APIRequest) async throws -> APIEntries {
        let plan = try await plans.plan(request.id)
        let sorting = try request.query.choice("sort", default: Sorting.order)
        let limit = try request.query.integer("limit", 1...2_000, default: 200)
        let groups = plan.groups
        var group: Int?
        if request.query.has("group") {
            let number = try request.query.integer("group", 0...255, default: 0)
            guard groups.groups.indices.contains(number) else {
                throw APIError.notFound(
                    "The plan has no group \(number).", advice: "The plan lists its groups.")
            }
            group = number
        }
        let offset = try Self.offset(request)
        return try await queue.run { [group] in
            var indices = plan.whole.indices.filter {
                group == nil || groups.number(ofEntry: $0) == group
            }
            if sorting == .bytes {
                let sizes = indices.map { (plan.whole.bytes(at: $0).bytes, $0) }
                indices = sizes.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1)
            }
            var answer = APIEntries(entries: [], total: indices.count)
            var budget = AnswerBudget()
            for index in indices.dropFirst(offset).prefix(limit) {
                let entry = APIEntry(index, of: plan)
                guard budget.admits(entry.cost) else { break }
                answer.entries.append(entry)
            }
            let next = offset + answer.entries.count
            if next < indices.count { answer.cursor = "\(next)" }
            return answer
        }
    }

    /// What a cursor counts that is a number.
    static func offset(_ request: APIRequest) throws(APIError) -> Int {
        guard let text = try request.query.text("cursor") else { return 0 }
        guard let offset = Int(text), offset >= 0 else {
            throw .bad("The cursor is none that was answered.")
        }
        return offset
    }

    // MARK: - Choosing

    private func select(_ request: APIRequest) async throws -> APISelection {
        let plan = try await plans.plan(request.id)
        var members = try await request.members()
        let named = try members.integers("groups", limit: 1_000)
        let single = try members.integers("entries", limit: 20_000)
        let except = try members.integers("except", limit: 20_000)
        try members.finish()
        let next = try await queue.run {
            try plan.keeping(
                try plan.entries(groups: named, entries: single, except: except))
        }
        try await plans.replace(next, if: plan.digest)
        return try await queue.run { APISelection(next) }
    }

    // MARK: - Purging

    private func purge(_ request: APIRequest) async throws -> APIJob {
        var members = try await request.members()
        let id = try members.needed("plan", members.text("plan", limit: 200))
        let digest = try members.needed("selection", members.text("selection", limit: 200))
        try members.finish()
        let situation = try situation()
        let shown = try await plans.confirmed(id, digest: digest)
        guard !shown.rest.isEmpty else {
            throw APIError.bad("Nothing of the plan is chosen.", advice: "Choose something of it.")
        }
        // Of now, and not of when it was planned: what is declared since holds.
        let withheld = await situation.withheld()
        let scope = try await queue.run {
            situation.workspace.ledger.refresh()
            let scope = situation.workspace.scope().openable().withholding(withheld)
            let free = scope.withoutBusy()
            if let busy = free.notes.first(where: { $0.code == .busy }),
                Self.isBusy(shown.rest, scope, free)
            {
                throw APIError.busy(busy.text)
            }
            return scope
        }
        let plan = try await plans.take(id, digest: digest)
        guard plan.configuration == situation.number else {
            await plans.giveBack(plan)
            throw APIError.reconfigured
        }
        let progress = PurgeProgress()
        do {
            return try await board.start(work(plan, scope, progress, situation.automation))
        } catch {
            await plans.giveBack(plan)
            throw error
        }
    }

    /// Whether others work in all directories of a plan. If they work in some of them, the purge keeps those.
    private static func isBusy(_ plan: Plan, _ scope: Scope, _ rest: Scope) -> Bool {
        let kept = Set(rest.roots.map(\.path))
        let busy = scope.roots.map(\.path).filter { !kept.contains($0) }
        return plan.allSatisfy { entry in busy.contains { entry.path.starts(with: $0) } }
    }

    private func work(
        _ kept: KeptPlan, _ scope: Scope, _ progress: PurgeProgress, _ automation: Automation
    ) -> JobWork {
        // mutation: r29b-1
        let plan = kept.rest
        let answered = kept.answered
        let requester = requester + (answered.map { ": \($0.cause)" } ?? "")
        let inventories = inventories
        return JobWork(
            kind: .purge, title: "Purging: \(kept.target)", configuration: kept.configuration,
            progress: {
                .init(progress, items: plan.count, bytes: plan.frees.apiSize)
            },
            cancel: { progress.cancel() },
            body: {
                let receipt: Receipt
                do throws(HeadroomError) {
                    receipt = try await BlockingThread.run(lowersPriority: false) {
                        () throws(HeadroomError) in
                        try scope.purge(
                            plan, requester: requester, progress: progress,
                            reportsRemoved: false)
                    }
                } catch {
                    await inventories.markStale()
                    throw error
                }
                await inventories.markStale()
                let volume = await BlockingThread.run(lowersPriority: false) { plan.onlyVolume }
                automation.notePurge(byHand: receipt, volume: volume)
                // What was stopped goes on waiting for a word, as long as something is missing.
                if let answered, receipt.outcome == .completed {
                    await automation.settle(proposal: answered.proposal)
                }
                return JobOutcome(
                    receipt: receipt.id,
                    text: "\(receipt.removedCount) items went, and were expected to free "
                        + "\(receipt.expected); \(receipt.skippedCount) stayed.",
                    wasCancelled: receipt.outcome == .interrupted)
            })
    }
}

extension Plan {
    /// Where the volume is mounted on which all of it lies; nil: it lies on several, or that is not known. Blocks.
    fileprivate var onlyVolume: FilePath? {
        let roots = Set(summary(depth: 0).areas.map(\.area.root))
        let mountPoints = Set(roots.map { (try? Volume.containing($0))?.mountPoint })
        guard mountPoints.count == 1, let only = mountPoints.first else { return nil }
        return only
    }
}
