//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Hummingbird

extension ServiceAPI {
    func addAudits(to routes: inout APIRoutes) {
        routes.on(.post, "/audits") { [self] _ in
            APIAnswer.json(["job": try await beginAudit()], status: .accepted)
        }
        routes.on(.get, "/audits/{id}", parameters: ["limit", "cursor"]) { [self] request in
            let limit = try request.query.integer("limit", 1...1_000, default: 500)
            let offset = try Self.offset(request)
            let audit = try await audits.audit(request.id)
            return APIAnswer.json(audit.page(offset: offset, limit: limit))
        }
    }

    private func beginAudit() async throws -> APIJob {
        let workspace = try situation().workspace
        // One is enough for everybody who asks.
        if let running = await board.running.first(where: { $0.kind == .audit }) { return running }
        let progress = ScanProgress()
        let shelf = audits
        let id = JobBoard.makeID()
        return try await board.start(
            JobWork(
                kind: .audit, title: "Looking at what is backed up",
                progress: { .init(progress) }, cancel: { progress.cancel() },
                body: {
                    let audit = try await BlockingThread.run(lowersPriority: false) {
                        () throws(HeadroomError) in
                        workspace.ledger.refresh()
                        return APIAudit(
                            try workspace.audit([], options: .standard, progress: progress), id: id)
                    }
                    await shelf.keep(audit)
                    return JobOutcome(
                        audit: id,
                        text: "\(audit.findings.count) findings in what is backed up.",
                        wasCancelled: !audit.complete)
                }))
    }
}
