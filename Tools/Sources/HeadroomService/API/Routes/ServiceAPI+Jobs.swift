//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomRequests
import Hummingbird

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
    }
}
