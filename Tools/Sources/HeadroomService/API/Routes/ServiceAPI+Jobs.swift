//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Hummingbird
import SystemPackage

extension ServiceAPI {
    func addJobs(to routes: inout APIRoutes) {
        routes.on(.get, "/jobs") { [self] _ in APIAnswer.json(["jobs": await board.jobs]) }
        routes.on(.get, "/jobs/{id}") { [self] request in
            APIAnswer.json(try await board.look(request.id).job)
        }
        routes.on(.get, "/jobs/{id}/events") { [self] request in
            _ = try await board.look(request.id)
            guard followers.enter() else { throw APIError.tooMany }
            let seen = request.header("Last-Event-ID")
            guard seen?.utf8.count ?? 0 <= 40 else {
                followers.leave()
                throw APIError.bad("The header Last-Event-ID is none that was sent.")
            }
            return JobEvents(
                board: board, id: request.id, seen: seen.flatMap { Int($0) }, followers: followers
            )
            .response()
        }
        routes.on(.post, "/jobs/{id}/cancel") { [self] request in
            APIAnswer.json(try await board.cancel(request.id), status: .accepted)
        }
        routes.on(.post, "/asking/confirm") { [self] request in
            APIAnswer.json(["job": try await confirm(request)], status: .accepted)
        }
    }

    /// Lets a proposal of the mode `ask` be carried out, if it is the one that was shown.
    private func confirm(_ request: APIRequest) async throws -> APIJob {
        var members = try await request.members()
        let name = try members.needed("volume", members.text("volume"))
        let id = try members.needed("proposal", members.text("proposal", limit: 200))
        try members.finish()
        let situation = try situation()
        let automation = situation.automation
        guard
            let proposal = await automation.proposed.first(where: {
                let path = PathText($0.volume)
                return (path.encoded ?? path.text) == name
            }), proposal.id == id
        else {
            throw APIError.conflict(
                "proposal-changed",
                "What was confirmed does not wait any more, or has changed since it was shown.",
                advice: "Look at what waits now, and confirm that.")
        }
        let progress = PurgeProgress()
        let inventories = inventories
        return try await board.start(
            JobWork(
                kind: .confirmation, title: "Doing what was proposed for \(name.apiShort)",
                configuration: situation.number,
                progress: {
                    .init(
                        progress, items: proposal.results.reduce(0) { $0 + $1.plannedItems },
                        bytes: proposal.results.reduce(ByteCount.zero) { $0 + $1.planned }.apiSize)
                },
                cancel: { progress.cancel() },
                body: {
                    let results = await automation.confirm(
                        proposal.volume, proposal: id, progress: progress)
                    await inventories.markStale()
                    guard !results.isEmpty else {
                        throw APIError.conflict(
                            "proposal-changed", "It has changed since it was shown.",
                            advice: "Look at what waits now, and confirm that.")
                    }
                    return JobOutcome(
                        receipts: results.compactMap(\.receipt?.id),
                        text: results.map { "\($0)" }.joined(separator: " ").apiShort,
                        wasCancelled: progress.isCancelled)
                }))
    }
}
