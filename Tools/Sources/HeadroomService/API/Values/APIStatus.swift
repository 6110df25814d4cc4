//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// Everything of the first screen.
struct APIStatus: Encodable, Sendable {
    var time: String
    var version: String
    var mode: String
    var inventory: APIInventoryState
    var volumes: [APIVolume]
    var ladder: [APIRung]
    var biggest: [LargeItem]
    var pinnedBytes: Int64
    var deleted: [DeletedFile]
    var deletedBytes: Int64
    var receipts: [APIReceiptSummary]
    var events: [APIEvent]
    var asking: [APIProposal]
    var jobs: [APIJob]
    var notices: [String]
    var essentialBytes: Int64?
    var footprintBytes: Int64?

    struct LargeItem: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var `class`: String
        var bytes: Int64
    }

    struct DeletedFile: Encodable, Sendable {
        struct Process: Encodable, Sendable {
            var id: Int32
            var name: String
        }

        var path: String?
        var pathBytes: String?
        var bytes: Int64
        var processes: [Process]
    }
}

/// What was seen, and when.
package struct APIInventoryState: Encodable, Sendable {
    package var state: String
    var items: Int
    var unreadable: Int
    var scanned: String?
    var job: String?
}

/// What may go of one class.
struct APIRung: Encodable, Sendable {
    struct Place: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var bytes: Int64
        var items: Int
        var origin: String?
        var name: String?

        init(_ path: FilePath, _ sum: PlanSummary.Sum, _ area: Area) {
            let text = PathText(path)
            self.path = text.text
            pathBytes = text.encoded
            bytes = sum.bytes.apiSize
            items = sum.items
            origin = area.origin.apiShort
            name = area.catalogueID
        }

        var cost: Int {
            150 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0)
                + AnswerBudget.cost(origin ?? "")
        }
    }

    var `class`: String
    var bytes: Int64 = 0
    var items = 0
    var dueBytes: Int64 = 0
    var dueItems = 0
    var oldestUse: String?
    var areas: [Place]
    var largest: [Place]

    /// - Returns: nil if nothing of the class may go.
    init?(_ purgeClass: PlannedClass, of summary: PlanSummary, budget: inout AnswerBudget) {
        let parts = summary.areas.filter { $0.purgeClass == purgeClass }
        guard !parts.isEmpty else { return nil }
        self.class = purgeClass.name
        for part in parts {
            bytes += part.sum.bytes.apiSize
            items += part.sum.items
            dueBytes += part.sum.dueBytes.apiSize
            dueItems += part.sum.dueItems
        }
        oldestUse = parts.compactMap(\.sum.oldestUse).min()?.iso8601
        areas = []
        largest = []
        for part in parts.prefix(50) {
            let place = Place(part.area.root, part.sum, part.area)
            guard budget.admits(place.cost) else { break }
            areas.append(place)
        }
        for found in summary.places.filter({ $0.purgeClass == purgeClass }).prefix(20) {
            let place = Place(found.path, found.sum, found.area)
            guard budget.admits(place.cost) else { break }
            largest.append(place)
        }
    }
}

/// Something that happened.
struct APIEvent: Encodable, Sendable {
    var time: String
    var kind: String
    var text: String
    var volume: String?
    var volumeBytes: String?
    var level: String?

    init(_ event: HistoryEvent) {
        time = event.time.iso8601
        kind = event.kind.rawValue
        text = event.text.apiShort
        let path = event.volume.map { PathText($0) }
        volume = path?.text
        volumeBytes = path?.encoded
        level = event.level?.name
    }
}

/// What waits for a person's word.
struct APIProposal: Encodable, Sendable {
    var volume: String
    var volumeBytes: String?
    var id: String
    var bytes: Int64
    var items: Int
    var purpose: String

    init(_ proposal: Automation.Proposal) {
        let path = PathText(proposal.volume)
        volume = path.text
        volumeBytes = path.encoded
        id = proposal.id
        bytes = proposal.result.planned.apiSize
        items = proposal.result.plannedItems
        purpose = "\(proposal.result)".apiShort
    }
}
