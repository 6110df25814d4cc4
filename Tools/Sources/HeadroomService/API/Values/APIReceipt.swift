//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// A receipt in a list.
struct APIReceiptSummary: Encodable, Sendable {
    var id: String
    var kind: String
    var started: String
    var ended: String?
    var outcome: String
    var requester: String
    var target: String
    var expectedBytes: Int64
    var volumeGainedBytes: Int64?
    var removedCount: Int
    var skippedCount: Int
    /// Absent: nobody has looked into the trash.
    var undoable: Bool?

    init(_ receipt: Receipt, _ trashed: TrashedReceipts? = nil) {
        id = receipt.id
        kind = receipt.kind.rawValue
        started = receipt.started.iso8601
        ended = receipt.ended?.iso8601
        outcome = receipt.outcome.rawValue
        requester = receipt.requester.apiShort
        target = receipt.target.apiShort
        expectedBytes = receipt.expected.apiSize
        volumeGainedBytes = receipt.volumeGained?.bytes
        removedCount = receipt.removedCount
        skippedCount = receipt.skippedCount
        undoable = trashed?.has(receipt)
    }

    var cost: Int { 400 + AnswerBudget.cost(requester) + AnswerBudget.cost(target) }
}

struct APIReceipts: Encodable, Sendable {
    var receipts: [APIReceiptSummary]
    var cursor: String?
}

/// A sum under a name.
struct APITotal: Encodable, Sendable {
    var name: String
    var bytes: Int64
    var count: Int

    init(_ name: String, _ bytes: ByteCount, _ count: Int) {
        self.name = name
        self.bytes = bytes.apiSize
        self.count = count
    }

    init(_ total: Receipt.Total) { self.init(total.name, total.bytes, total.count) }

    /// As many as fit.
    static func list(_ totals: [Receipt.Total], _ budget: inout AnswerBudget) -> [APITotal] {
        var list: [APITotal] = []
        for total in totals {
            guard budget.admits(80 + AnswerBudget.cost(total.name)) else { break }
            list.append(APITotal(total))
        }
        return list
    }
}

/// A path of a receipt.
struct APIRemoved: Encodable, Sendable {
    var path: String
    var pathBytes: String?
    var bytes: Int64

    init(_ removed: Receipt.Removed) {
        let text = PathText(removed.path)
        path = text.text
        pathBytes = text.encoded
        bytes = removed.bytes.apiSize
    }

    var cost: Int { 60 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0) }
}

struct APISkipped: Encodable, Sendable {
    var path: String
    var pathBytes: String?
    var reason: APIReason

    init(_ skipped: Receipt.Skipped) {
        let text = PathText(skipped.path)
        path = text.text
        pathBytes = text.encoded
        reason = APIReason(skipped.reason)
        reason.text = reason.text.apiShort
    }

    var cost: Int {
        100 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0)
            + AnswerBudget.cost(reason.text)
    }
}

/// What a purge or disposal really did.
struct APIReceipt: Encodable, Sendable {
    private let summary: APIReceiptSummary
    private let details: Details

    private struct Details: Encodable, Sendable {
        var differences: [String]
        var emptiedDirectories: Int
        var perClass: [APITotal]
        var perArea: [APITotal]
        var perDirectory: [APITotal]
        var removed: [APIRemoved]
        var skipped: [APISkipped]
        var notes: [String]
    }

    init(_ receipt: Receipt, _ trashed: TrashedReceipts) {
        summary = APIReceiptSummary(receipt, trashed)
        var budget = AnswerBudget()
        let paths = APIReceiptPaths(receipt, offset: 0, limit: 500, bytes: 400_000)
        _ = budget.admits(400_000)
        details = Details(
            differences: receipt.differences.prefix(50).map(\.apiShort),
            emptiedDirectories: receipt.emptiedCount,
            perClass: APITotal.list(receipt.perClass, &budget),
            perArea: APITotal.list(receipt.perArea, &budget),
            perDirectory: APITotal.list(receipt.perDirectory, &budget),
            removed: paths.removed, skipped: paths.skipped,
            notes: receipt.notes.prefix(50).map(\.apiShort))
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        try details.encode(to: encoder)
    }
}

/// Paths of a receipt: what went, then what stayed.
struct APIReceiptPaths: Encodable, Sendable {
    var removed: [APIRemoved] = []
    var skipped: [APISkipped] = []
    var cursor: String?

    /// - Parameter offset: counts both, one after the other.
    init(_ receipt: Receipt, offset: Int, limit: Int, bytes: Int = 900_000) {
        var budget = AnswerBudget(bytes)
        let whole = receipt.removed.count + receipt.skipped.count
        var place = min(offset, whole)
        let end = min(whole, place + limit)
        while place < end {
            if place < receipt.removed.count {
                let next = APIRemoved(receipt.removed[place])
                guard budget.admits(next.cost) else { break }
                removed.append(next)
            } else {
                let next = APISkipped(receipt.skipped[place - receipt.removed.count])
                guard budget.admits(next.cost) else { break }
                skipped.append(next)
            }
            place += 1
        }
        if place < whole { cursor = "\(place)" }
    }
}
