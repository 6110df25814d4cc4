//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// What would go.
struct APIPlan: Encodable, Sendable {
    struct Kept: Encodable, Sendable {
        var code: String
        var text: String
        var bytes: Int64
        var items: Int
    }

    struct Excess: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var excessBytes: Int64
    }

    var id: String
    var created: String
    var expires: String
    var target: String
    var through: String
    var freesBytes: Int64
    var items: Int
    var emptyDirectories: Int
    var reachesTarget: Bool
    var missingBytes: Int64
    var missingInodes: Int
    var kept: [Kept]
    var overLimit: [Excess]
    var selection: APISelection
    var scanned: String
    var oldestUse: String?
    var newestUse: String?

    /// - Complexity: O(entries).
    init(_ kept: KeptPlan) {
        let plan = kept.whole
        let summary = plan.summary(depth: 0)
        id = kept.id
        created = kept.created.iso8601
        expires = kept.expires.iso8601
        target = kept.target
        through = plan.request.through.purgeClass.name
        freesBytes = plan.frees.apiSize
        items = summary.items
        emptyDirectories = summary.emptyDirectories
        reachesTarget = plan.reachesTarget
        missingBytes = plan.missing.apiSize
        missingInodes = plan.missingInodes
        self.kept = plan.kept.byReason.sorted { "\($0.key)" < "\($1.key)" }.map { code, entry in
            Kept(
                code: code.description, text: ReasonWords.kept(code), bytes: max(0, entry.bytes),
                items: entry.count)
        }
        overLimit = plan.overLimit.prefix(100).map { area, excess in
            let text = PathText(area.root)
            return Excess(
                path: text.text, pathBytes: text.encoded, excessBytes: excess.apiSize)
        }
        selection = APISelection(kept)
        scanned = plan.inventory.scanned.iso8601
        oldestUse = summary.classes.compactMap(\.sum.oldestUse).min()?.iso8601
        newestUse = summary.classes.compactMap(\.sum.newestUse).max()?.iso8601
    }
}

/// What of a plan is to go.
struct APISelection: Encodable, Sendable {
    struct Group: Encodable, Sendable {
        var id: Int
        var `class`: String
        var code: String
        var title: String
        var bytes: Int64
        var items: Int
        var selectedBytes: Int64
        var selectedItems: Int
    }

    var digest: String
    var freesBytes: Int64
    var items: Int
    var deselectedItems: Int
    var groups: [Group]
    var alsoDeselected: [Int]?

    /// - Complexity: O(entries).
    init(_ plan: KeptPlan) {
        digest = plan.digest
        freesBytes = plan.rest.frees.apiSize
        items = plan.rest.count
        deselectedItems = plan.whole.count - plan.rest.count
        let rest = plan.staying.isEmpty ? plan.groups : plan.rest.groups()
        groups = plan.groups.groups.enumerated().map { number, group in
            let chosen = rest.groups.first {
                $0.purgeClass == group.purgeClass && $0.code == group.code
            }
            return Group(
                id: number, class: group.purgeClass.name, code: group.code.description,
                title: ReasonWords.group(group.purgeClass, group.code), bytes: group.bytes.apiSize,
                items: group.items, selectedBytes: chosen?.bytes.apiSize ?? 0,
                selectedItems: chosen?.items ?? 0)
        }
        alsoDeselected = plan.also.isEmpty ? nil : Array(plan.also.prefix(1_000))
    }
}

/// One item of a plan.
struct APIEntry: Encodable, Sendable {
    var index: Int
    var group: Int
    var path: String
    var pathBytes: String?
    var `class`: String
    var unit: String
    var bytes: Int64
    var lastUse: String?
    var reason: APIReason
    var sidecars: [String]?
    var selected: Bool

    /// - Complexity: O(depth of the path).
    init(_ index: Int, of plan: KeptPlan) {
        let entry = plan.whole[index]
        let text = PathText(entry.path)
        self.index = index
        group = plan.groups.number(ofEntry: index)
        path = text.text
        pathBytes = text.encoded
        self.class = entry.purgeClass.name
        unit = entry.unit.rawValue
        bytes = entry.bytes.apiSize
        lastUse = entry.lastUse.seconds > 0 ? entry.lastUse.iso8601 : nil
        reason = APIReason(entry.reason)
        sidecars = entry.sidecars.isEmpty ? nil : entry.sidecars.map { PathText($0).text }
        selected = !plan.staying.contains(index)
    }

    var cost: Int {
        let names = (sidecars ?? []).reduce(0) { $0 + AnswerBudget.cost($1) + 3 }
        return 300 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0)
            + AnswerBudget.cost(reason.text) + names
    }
}

struct APIEntries: Encodable, Sendable {
    var entries: [APIEntry]
    var total: Int
    var cursor: String?
}

/// Words for codes, where the engine has them only with single items.
enum ReasonWords {
    static func group(_ purgeClass: PlannedClass, _ code: Reason.Code) -> String {
        let name = purgeClass.spokenName.capitalizedFirst
        switch code {
        case .expired: return "\(name), expired"
        case .overLimit: return "\(name), in areas over their limit"
        case .olderThan: return "\(name), old enough"
        case .leftEmpty: return "Directories left empty"
        case .all: return name
        case .inOrder: return "\(name), least recently used first"
        default: return "\(name), \(code.description)"
        }
    }

    static func kept(_ code: Reason.Code) -> String {
        switch code {
        case .essential: "It is essential."
        case .pinned: "It is pinned, or has a mark that cannot be read."
        case .classNotAllowed: "Its class may not be spent by this plan."
        case .notNeeded: "The target is reached without it."
        case .leased: "It is leased."
        case .inUse: "It is in use."
        case .linkedElsewhere: "It has another name outside the plan: deleting it frees nothing."
        case .mountPoint: "Something is mounted there."
        case .special: "It is a FIFO, a socket or a device."
        case .unreadable: "It could not be read."
        case .immutable: "It is immutable."
        case .nestedArea: "It holds an area of its own."
        case .foreignOwner: "It belongs to another user."
        case .freshTrash: "It was thrown away less than 24 hours ago."
        case .notSelected: "It was taken out of the plan."
        case .directoryTag: "It tells backups to leave its directory out."
        case .cacheStore: "A cache store needs it."
        default: "It stays: \(code.description)."
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
