//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
public import Hummingbird
public import Logging
import Synchronization
import SystemPackage

/// The HTTP API of the service: what it answers, what it keeps between requests, and the work that
/// requests have begun.
///
/// One for a run of the service. It answers 503 until it is told what it is about, and again after it has
/// ended.
///
///     let api = ServiceAPI(token: APIToken(), version: "1.0", logger: logger)
///     api.addRoutes(to: router)
///     await api.use(situation)
///     …
///     await api.end()
public final class ServiceAPI: Sendable {
    public let token: APIToken
    let version: String
    let logger: Logger
    let board: JobBoard
    let inventories: SeenInventories
    let plans: PlanShelf
    let disposals: DisposalShelf
    let audits: AuditShelf
    let queue = WorkQueue()
    let followers = JobEvents.Followers()
    private let content = Mutex<APISituation?>(nil)

    /// - Parameters:
    ///   - token: what requests must bring.
    ///   - version: the program's.
    public init(token: APIToken, version: String, logger: Logger) {
        self.token = token
        self.version = version
        self.logger = logger
        let board = JobBoard()
        self.board = board
        inventories = SeenInventories(board)
        plans = PlanShelf()
        disposals = DisposalShelf()
        audits = AuditShelf()
    }

    // MARK: - Running

    /// Speaks of another configuration from now on: what was planned by the one before is forgotten.
    public func use(_ situation: APISituation) async {
        content.withLock { $0 = situation }
        await inventories.reset()
        await plans.reset()
        // For the first look of whoever comes, if somebody can.
        if !situation.loaded.configuration.listen.isEmpty {
            await inventories.refresh(.areas, in: situation)
        }
    }

    /// Ends what requests have begun: a purge ends between two items, with its receipt.
    public func end() async {
        content.withLock { $0 = nil }
        await inventories.end()
        await board.end()
    }

    func situation() throws(APIError) -> APISituation {
        guard let situation = content.withLock({ $0 }) else { throw .starting }
        return situation
    }

    /// Who asks, for receipts.
    var requester: String { "headroom serve, by its API, user \(User.effective)" }

    // MARK: - Routes

    /// Adds what is answered below `/api/v1`.
    public func addRoutes(to router: Router<BasicRequestContext>) {
        var routes = APIRoutes(router, token: token, logger: logger)
        routes.on(.get, "/openapi.json") { _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: APIDocument.text)))
        }
        addSeeing(to: &routes)
        addTree(to: &routes)
        addPlans(to: &routes)
        addJobs(to: &routes)
        addReceipts(to: &routes)
        addTrash(to: &routes)
        addAudits(to: &routes)
        routes.finish()
    }
}
