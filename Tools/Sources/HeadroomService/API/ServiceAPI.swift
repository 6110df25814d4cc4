//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
package import HeadroomPlatform
package import HeadroomRequests
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
    package let board: JobBoard
    package let inventories: SeenInventories
    package let plans: PlanShelf
    let disposals: DisposalShelf
    let moduleChoices: ConfirmationShelf<ModuleChoice>
    let audits: AuditShelf
    let cleanables: SeenCleanables
    let queue = WorkQueue()
    let followers = JobEvents.Followers()
    private let content = Mutex<APISituation?>(nil)
    private let configurations = Mutex(0)
    private let clock: any Clock<Duration>
    /// Cancelled and awaited by `end`.
    private let upkeep = Mutex<Task<Void, Never>?>(nil)

    private static let upkeepInterval: Duration = .seconds(60)

    /// - Parameters:
    ///   - token: what requests must bring.
    ///   - version: the program's.
    public convenience init(token: APIToken, version: String, logger: Logger) {
        self.init(
            token: token, version: version, logger: logger, clock: ContinuousClock(),
            now: { .now() })
    }

    /// - Parameters:
    ///   - clock: by which what nobody looks at is let go now and then.
    ///   - now: the wall clock.
    package init(
        token: APIToken, version: String, logger: Logger, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.clock = clock
        self.token = token
        self.version = version
        self.logger = logger
        let board = JobBoard(now: now)
        self.board = board
        let inventories = SeenInventories(board, now: now)
        self.inventories = inventories
        cleanables = SeenCleanables(board, inventories, now: now)
        plans = PlanShelf(now: now)
        disposals = DisposalShelf(now: now)
        moduleChoices = ConfirmationShelf(now: now)
        audits = AuditShelf()
    }

    // MARK: - Running

    /// Speaks of another configuration from now on: what was planned by the one before is forgotten.
    ///
    /// - Parameter endsWork: what was allowed may not be any more: purges that go by the configuration before
    ///   end between two items, and are waited for. False: it allows the same.
    public func use(_ situation: APISituation, endsWork: Bool = true) async {
        var situation = situation
        situation.number = configurations.withLock { number in
            number += 1
            return number
        }
        // First, so that a request that goes by the one before comes too late, wherever it is just now.
        await plans.reset(situation.number)
        await inventories.reset(situation.number)
        if endsWork { await board.endWork(before: situation.number) }
        content.withLock { [situation] in $0 = situation }
        // For the first look of whoever comes, if somebody can.
        if !situation.loaded.configuration.listen.isEmpty {
            await inventories.refresh(.areas, in: situation)
        }
        beginUpkeep()
    }

    /// Inventories are large, and who has looked at one may never come again.
    private func beginUpkeep() {
        upkeep.withLock { task in
            guard task == nil else { return }
            task = Task { [clock, inventories, cleanables, plans, disposals, moduleChoices] in
                // Cancelled: the loop ends.
                while (try? await clock.sleep(for: Self.upkeepInterval)) != nil {
                    await inventories.release()
                    await cleanables.release()
                    await plans.forgetOld()
                    await disposals.forgetOld()
                    await moduleChoices.forgetOld()
                }
            }
        }
    }

    /// Ends what requests have begun: a purge ends between two items, with its receipt.
    public func end() async {
        content.withLock { $0 = nil }
        let upkeep = upkeep.withLock { $0 }
        upkeep?.cancel()
        await upkeep?.value
        await inventories.end()
        await board.end()
    }

    /// Takes an event of the automation, from any thread; does not block.
    func note(_ event: AutomationEvent) {
        guard case .ended(let result) = event, let receipt = result.receipt,
            receipt.removedCount + receipt.emptiedCount > 0
        else { return }
        inventories.note(purgeEnded: receipt.ended ?? receipt.started)
    }

    package func situation() throws(APIError) -> APISituation {
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
        addCleaning(to: &routes)
        addModules(to: &routes)
        routes.finish()
    }
}
