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
    func addTrash(to routes: inout APIRoutes) {
        routes.on(.get, "/trash", parameters: ["limit", "cursor"]) { [self] request in
            APIAnswer.json(try await trash(request))
        }
        routes.on(.post, "/trash/restore") { [self] request in
            APIAnswer.json(try await restore(request))
        }
        routes.on(.post, "/disposals") { [self] request in
            APIAnswer.json(try await makeDisposal(request), status: .created)
        }
        routes.on(.post, "/disposals/{id}/confirm") { [self] request in
            APIAnswer.json(["job": try await dispose(request.id)], status: .accepted)
        }
    }

    private func trash(_ request: APIRequest) async throws -> APITrash {
        let workspace = try situation().workspace
        let limit = try request.query.integer("limit", 1...1_000, default: 200)
        let offset = try Self.offset(request)
        return try await queue.run {
            let listing = workspace.trash.list()
            var answer = APITrash(
                bytes: listing.freed.apiSize,
                notes: listing.notes.prefix(50).map {
                    APIReason(Reason($0.code, $0.text.apiShort))
                })
            var budget = AnswerBudget()
            for item in listing.items.dropFirst(offset).prefix(limit) {
                let next = APITrashItem(item)
                guard budget.admits(next.cost) else { break }
                answer.items.append(next)
            }
            let next = offset + answer.items.count
            if next < listing.items.count { answer.cursor = "\(next)" }
            return answer
        }
    }

    /// Only what is listed can be named.
    private func restore(_ request: APIRequest) async throws -> APIRestored {
        let workspace = try situation().workspace
        var members = try await request.members()
        let value = try members.needed("items", members.value("items"))
        let makesParents = try members.flag("createParents") ?? false
        try members.finish()
        guard case .list(let list) = value, (1...1_000).contains(list.count) else {
            throw APIError.bad("“items” is not a list of one to 1,000 ids.")
        }
        var ids: [String] = []
        for element in list {
            guard case .text(let id) = element, id.unicodeScalars.count <= 12_288 else {
                throw APIError.bad("“items” has something that is no id.")
            }
            guard !ids.contains(id) else { throw APIError.bad("“items” has an id twice.") }
            ids.append(id)
        }
        let answer = try await queue.run { [ids] in
            let listed = Dictionary(
                workspace.trash.list(measuring: false).items.map { (APITrashItem.id(of: $0), $0) },
                uniquingKeysWith: { first, _ in first })
            var answer = APIRestored()
            var budget = AnswerBudget()
            for id in ids {
                let shown = String(id.prefix(1_000))
                guard let item = listed[id] else {
                    guard budget.admits(100 + AnswerBudget.cost(shown)) else { break }
                    answer.failed.append(
                        .init(
                            id: shown, code: "not-found", text: "It is not in the trash any more."))
                    continue
                }
                // Its two paths, with room for a sentence that has both.
                guard budget.admits(300 + 12 * (item.path.length + item.shownPath.length)) else {
                    break
                }
                do throws(HeadroomError) {
                    let path = PathText(
                        try workspace.trash.restore(item, creatingParents: makesParents))
                    answer.restored.append(
                        .init(id: id, path: path.text, pathBytes: path.encoded))
                } catch {
                    answer.failed.append(
                        .init(id: id, code: APIError(error).code, text: error.message))
                }
            }
            return answer
        }
        await inventories.markStale()
        return answer
    }

    // MARK: - Throwing away

    private func makeDisposal(_ request: APIRequest) async throws -> APIDisposal {
        let workspace = try situation().workspace
        var members = try await request.members()
        let value = try members.needed("files", members.value("files"))
        try members.finish()
        guard case .list(let list) = value, (1...1_000).contains(list.count) else {
            throw APIError.bad("“files” is not a list of one to 1,000 paths.")
        }
        var paths: [FilePath] = []
        var budget = AnswerBudget()
        for element in list {
            var members = try JSONMembers(element, "A file")
            let path = try members.text("path", limit: 4_096)
            let encoded = try members.text("pathBytes")
            try members.finish()
            guard let path = try FilePath(text: path, encoded: encoded, needed: true) else {
                continue
            }
            // It may stand in the answer once more, in a sentence.
            guard budget.admits(800 + 2 * AnswerBudget.cost(PathText(path))) else {
                throw APIError.bad(
                    "The paths are too long in all.", advice: "Send several smaller requests.")
            }
            paths.append(path)
        }
        let selection = try await queue.run { [paths] in
            workspace.ledger.refresh()
            return workspace.select(userFiles: paths)
        }
        let (id, expires) = await disposals.keep(selection)
        return APIDisposal(selection, id: id, expires: expires)
    }

    private func dispose(_ id: String) async throws -> APIJob {
        let workspace = try situation().workspace
        let entry = try await disposals.take(id)
        let selection = entry.selection
        let progress = PurgeProgress()
        let requester = requester
        let inventories = inventories
        let work = JobWork(
            kind: .disposal, title: "Moving files to the trash",
            progress: { .init(progress, items: selection.files.count) },
            cancel: { progress.cancel() },
            body: {
                let receipt = await BlockingThread.run(lowersPriority: false) {
                    workspace.dispose(of: selection, requester: requester, progress: progress)
                }
                await inventories.markStale()
                return JobOutcome(
                    receipt: receipt.id,
                    text:
                        "\(receipt.removedCount) are in the trash; \(receipt.skippedCount) stayed.",
                    wasCancelled: receipt.outcome == .interrupted)
            })
        do {
            return try await board.start(work)
        } catch {
            await disposals.giveBack(entry)
            throw error
        }
    }
}
