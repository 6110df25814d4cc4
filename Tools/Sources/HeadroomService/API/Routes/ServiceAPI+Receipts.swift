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
    func addReceipts(to routes: inout APIRoutes) {
        routes.on(.get, "/receipts", parameters: ["limit", "cursor"]) { [self] request in
            APIAnswer.json(try await receipts(request))
        }
        routes.on(.get, "/receipts/{id}") { [self] request in
            APIAnswer.json(try await shown(try await receipt(request.id)))
        }
        let parameters: Set<String> = ["limit", "cursor"]
        routes.on(.get, "/receipts/{id}/paths", parameters: parameters) { [self] request in
            let limit = try request.query.integer("limit", 1...2_000, default: 500)
            let offset = try Self.offset(request)
            let receipt = try await receipt(request.id)
            return APIAnswer.json(APIReceiptPaths(receipt, offset: offset, limit: limit))
        }
        routes.on(.post, "/receipts/{id}/undo") { [self] request in
            APIAnswer.json(try await shown(try await undo(request.id)))
        }
    }

    private func shown(_ receipt: Receipt) async throws -> APIReceipt {
        let workspace = try situation().workspace
        return try await queue.run {
            APIReceipt(receipt, TrashedReceipts([receipt], in: workspace))
        }
    }

    /// - Parameter id: in full.
    private func receipt(_ id: String) async throws -> Receipt {
        let ledger = try situation().workspace.ledger
        return try await queue.run {
            // By the beginning of one all of a year would be read.
            guard id.utf8.count >= 19, let receipt = try? ledger.receipt(id), receipt.id == id
            else {
                throw APIError.notFound(
                    "There is no receipt “\(id.prefix(80))”.",
                    advice: "GET /api/v1/receipts lists those of a year.")
            }
            return receipt
        }
    }

    /// The cursor is the id of the receipt that was last, and how many were before it: more may have come
    /// since.
    private func receipts(_ request: APIRequest) async throws -> APIReceipts {
        let workspace = try situation().workspace
        let limit = try request.query.integer("limit", 1...500, default: 50)
        var before = 0
        var last: String?
        if let cursor = try request.query.text("cursor") {
            let parts = cursor.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let count = Int(parts[0]), (0...1_000_000).contains(count)
            else { throw APIError.bad("The cursor is none that was answered.") }
            before = count
            last = String(parts[1])
        }
        return try await queue.run { [before, last] in
            // Those that may have come since, besides.
            let all = Array(
                try workspace.ledger.receipts(
                    last: before + limit + (before > 0 ? 100 : 0) + 1
                ).reversed())
            let start = all.firstIndex { $0.id == last }.map { $0 + 1 } ?? before
            let page = all.dropFirst(start).prefix(limit)
            let trashed = TrashedReceipts(page, in: workspace)
            var answer = APIReceipts(receipts: [])
            var budget = AnswerBudget()
            for receipt in page {
                let summary = APIReceiptSummary(receipt, trashed)
                guard budget.admits(summary.cost) else { break }
                answer.receipts.append(summary)
            }
            let next = start + answer.receipts.count
            if next < all.count, let id = answer.receipts.last?.id {
                answer.cursor = "\(next).\(id)"
            }
            return answer
        }
    }

    /// Brings back what a disposal has moved to the trash.
    private func undo(_ id: String) async throws -> Receipt {
        let disposed = try await receipt(id)
        guard disposed.kind == .disposal else {
            throw APIError.conflict(
                "conflict",
                "This receipt has moved nothing to the trash: what a purge deletes is gone.",
                advice: "Look for it in a backup.")
        }
        let workspace = try situation().workspace
        let requester = requester
        let receipt = try await queue.run {
            do throws(HeadroomError) {
                return try workspace.undo(disposed.id, requester: requester, creatingParents: true)
            } catch {
                guard error.code == .notFound else { throw error }
                throw APIError.conflict(
                    "conflict", error.message, advice: "GET /api/v1/trash lists what is there.")
            }
        }
        await inventories.markStale()
        return receipt
    }
}
