//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// Something that a person may choose to clean.
struct APICleanable: Encodable, Sendable {
    var id: String
    var name: String
    var nameBytes: String?
    var path: String?
    var pathBytes: String?
    var note: String?
    var bytes: Int64?
    var items: Int
    var lastUse: String?
    var action: String
    var selectable: Bool

    init(_ item: Cleanable) {
        id = Self.id(of: item)
        name = item.name.apiShort
        if let file = item.path {
            let text = PathText(file)
            path = text.text
            pathBytes = text.encoded
            // Not the name of a known cache.
            if let last = file.lastComponent.map({ FilePath(root: nil, [$0]) }),
                last.displayText == item.name
            {
                let own = PathText(bytes: last.bytes)
                name = own.text
                nameBytes = own.encoded
            }
        }
        // Of several directories, all that lies directly in them has one name.
        let words =
            item.note.isEmpty && item.action == .purgeLooseFiles
            ? item.path?.displayText ?? "" : item.note
        note = words.isEmpty ? nil : words.apiShort
        bytes = item.allocated?.apiSize
        items = item.fileCount
        lastUse = item.lastUse.flatMap { $0.seconds > 0 ? $0.iso8601 : nil }
        action =
            switch item.action {
            case .purge, .purgeLooseFiles: "purge"
            case .dispose: "dispose"
            case .empty: "empty"
            case .module: "module"
            case .command: "command"
            }
        selectable = Self.isSelectable(item)
    }

    /// The bytes of its path, with which nothing but what is listed is ever looked for.
    static func id(of item: Cleanable) -> String {
        guard let path = item.path else { return "module:\(item.id.apiShort)" }
        // An asterisk in a name is percent-encoded.
        return PercentEncoding.encoded(path.bytes)
            + (item.action == .purgeLooseFiles ? "/*" : "")
    }

    /// Whether a request may name it: what only a tool cleans is not asked for, and nothing is wanted of a
    /// module that holds nothing, or cannot say what it holds.
    static func isSelectable(_ item: Cleanable) -> Bool {
        item.isSelectable && (item.action != .module || (item.allocated ?? .zero) > .zero)
    }

    var cost: Int {
        300 + id.utf8.count + AnswerBudget.cost(name) + (nameBytes?.utf8.count ?? 0)
            + AnswerBudget.cost(path ?? "") + (pathBytes?.utf8.count ?? 0)
            + AnswerBudget.cost(note ?? "")
    }
}

/// What there is to choose from.
struct APICleanables: Encodable, Sendable {
    struct Section: Encodable, Sendable {
        var id: String
        var title: String
        var recreatable: Bool
        var complete: Bool
        var bytes: Int64
        var count: Int
        var items: [APICleanable]
        var rest: Rest?
    }

    /// What is in a section besides the items that were answered.
    struct Rest: Encodable, Sendable {
        var count: Int
        var bytes: Int64
        var cursor: String?
    }

    var state: String
    var job: String?
    var seen: String?
    var sections: [Section]

    /// - Parameters:
    ///   - only: this section; nil: all, each with a share of the answer.
    ///   - limit: at most so many items of a section.
    init(_ look: SeenCleanables.Look, only: CleaningSection?, limit: Int, offset: Int) {
        state = look.job != nil ? "searching" : look.wasStopped ? "stopped" : "ready"
        job = look.job
        seen = look.ended?.iso8601
        let shown = look.sections.filter { only == nil || $0.update.section == only }
        sections = shown.map { section in
            // One that has the longest of names fits a share.
            Self.section(
                section, limit: limit, offset: offset,
                budget: AnswerBudget(900_000 / max(1, shown.count)))
        }
    }

    private static func section(
        _ known: SeenCleanables.Look.Section, limit: Int, offset: Int, budget: AnswerBudget
    ) -> Section {
        var budget = budget
        let update = known.update
        var items: [APICleanable] = []
        var bytes = ByteCount.zero
        for item in update.items.dropFirst(offset).prefix(limit) {
            let next = APICleanable(item)
            guard budget.admits(next.cost) else { break }
            items.append(next)
            bytes += item.allocated ?? .zero
        }
        let next = offset + items.count
        let before = update.items.prefix(offset).reduce(ByteCount.zero) {
            $0 + ($1.allocated ?? .zero)
        }
        let rest =
            next < update.items.count
            ? Rest(
                count: update.items.count - next,
                bytes: (update.allocated - before - bytes).apiSize,
                // What is still being looked for is in another order with the next answer.
                cursor: update.isComplete ? "\(known.survey).\(next)" : nil) : nil
        return Section(
            id: update.section.id, title: update.section.title,
            recreatable: update.section.isRecreatable, complete: update.isComplete,
            bytes: update.allocated.apiSize, count: update.items.count, items: items, rest: rest)
    }
}

/// What cleaning a choice would do.
struct APICleaningPreview: Encodable, Sendable {
    /// What confirms the part that is purged.
    struct Purge: Encodable, Sendable {
        var id: String
        var selection: String
        var expires: String
    }

    /// What confirms a part that is no plan: what is moved to the trash, or asked of modules.
    struct Confirmation: Encodable, Sendable {
        var id: String
        var expires: String
    }

    var freesBytes: Int64 = 0
    var freesWhenEmptiedBytes: Int64 = 0
    var purgedItems = 0
    var disposedItems = 0
    /// Names that go and free nothing, since other names of their files stay.
    var linkedElsewhere = 0
    /// By their own measure: what the volumes gain is known afterwards.
    var freesByModulesBytes: Int64 = 0
    var modules: [APIChosenModule] = []
    var refused: [APISkipped] = []
    var unlisted: Int?
    var plan: Purge?
    var disposal: Confirmation?
    var moduleRun: Confirmation?

    init() {}

    /// - Complexity: O(entries), and what is below those that are directories.
    init(of plan: Plan) {
        let summary = plan.summary(depth: 0)
        freesBytes = plan.frees.apiSize
        purgedItems = summary.items
        linkedElsewhere = plan.namesLinkedOutside
    }

    mutating func add(_ choice: ModuleChoice) {
        modules = choice.modules.map { APIChosenModule($0) }
        // Their figures are their own; a sum of these must not trap.
        freesByModulesBytes = choice.shown.values.reduce(ByteCount.zero) { $0 + $1 }.apiSize
    }

    mutating func add(_ files: UserFileSelection) {
        freesWhenEmptiedBytes = files.freesWhenEmptied.apiSize
        disposedItems = files.files.reduce(0) { $0 + $1.fileCount }
        var budget = AnswerBudget(800_000)
        for skipped in files.refused {
            let next = APISkipped(skipped)
            guard budget.admits(next.cost) else { break }
            refused.append(next)
        }
        if refused.count < files.refused.count { unlisted = files.refused.count - refused.count }
    }
}
