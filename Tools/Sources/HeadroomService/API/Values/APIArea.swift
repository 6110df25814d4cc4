//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// A directory under one contract.
struct APIArea: Encodable, Sendable {
    var path: String
    var pathBytes: String?
    var `class`: String
    var origin: String
    var unit: String
    var bytes: Int64
    var items: Int
    var overLimitBytes: Int64
    var retentionSeconds: Int64?
    var limitBytes: Int64?
    var catalogue: String?

    init(_ area: Area, _ summaries: [PurgeLadder.AreaSummary]) {
        let text = PathText(area.root)
        path = text.text
        pathBytes = text.encoded
        self.class = area.apiClass
        origin = area.origin.apiShort
        unit = area.unit == .entry ? "entry" : "file"
        bytes =
            summaries.reduce(ByteCount.zero) {
                $0 + $1.sum.allocated + $1.pinned.allocated
            }.apiSize
        items = summaries.reduce(0) { $0 + $1.sum.items + $1.pinned.items }
        overLimitBytes = summaries.map(\.overLimit.apiSize).max() ?? 0
        retentionSeconds = area.retention.map { max(0, $0.components.seconds) }
        limitBytes = area.limit?.apiSize
        catalogue = area.catalogueID
    }

    var cost: Int {
        300 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0) + AnswerBudget.cost(origin)
    }
}

struct APIAreas: Encodable, Sendable {
    var areas: [APIArea]
    var notes: [APIReason]
    var inventory: APIInventoryState
    /// How many did not fit.
    var unlisted: Int?
}
