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

/// Cleaning by hand: what there is to choose from, and what a choice would free. What is confirmed then is a
/// plan and a disposal as any other, and what is asked of modules.
extension ServiceAPI {
    func addCleaning(to routes: inout APIRoutes) {
        let parameters: Set<String> = ["section", "limit", "cursor"]
        routes.on(.get, "/cleanables", parameters: parameters) { [self] request in
            APIAnswer.json(try await listed(request))
        }
        routes.on(.post, "/cleanables") { [self] _ in
            let job = try await cleanables.lookAgain(in: situation())
            return APIAnswer.json(["job": job], status: .accepted)
        }
        routes.on(.post, "/cleanables/preview") { [self] request in
            let preview = try await preview(request)
            let isKept =
                preview.plan != nil || preview.disposal != nil || preview.moduleRun != nil
            return APIAnswer.json(preview, status: isKept ? .created : .ok)
        }
    }

    // MARK: - Sections

    private func listed(_ request: APIRequest) async throws -> APICleanables {
        let situation = try situation()
        var only: CleaningSection?
        if let name = try request.query.text("section", limit: 40) {
            guard let section = CleaningSection(id: name) else {
                throw APIError.notFound(
                    "There is no section “\(name)”.",
                    advice: "GET /api/v1/cleanables lists the sections.")
            }
            only = section
        }
        let limit = try request.query.integer("limit", 1...1_000, default: 100)
        let cursor = try request.query.text("cursor")
        let look = try await cleanables.look(in: situation)
        let offset = try Self.place(of: cursor, in: look, only)
        return try await queue.run { [only] in
            APICleanables(look, only: only, limit: limit, offset: offset)
        }
    }

    private static func place(
        of cursor: String?, in look: SeenCleanables.Look, _ only: CleaningSection?
    ) throws(APIError) -> Int {
        guard let cursor else { return 0 }
        guard let section = look.sections.first(where: { $0.update.section == only }) else {
            throw .bad("A cursor goes with a section.")
        }
        let parts = cursor.split(separator: ".")
        guard parts.count == 2, let offset = Int(parts[1]), offset >= 0 else {
            throw .bad("The cursor is none that was answered.")
        }
        guard section.survey == parts[0] else {
            throw .conflict(
                "conflict", "It was looked for again since the cursor was answered.",
                advice: "Begin without a cursor.")
        }
        return offset
    }

    // MARK: - Choosing

    private func preview(_ request: APIRequest) async throws -> APICleaningPreview {
        let situation = try situation()
        var members = try await request.members()
        let ids = try Self.ids(members.value("items"))
        let isDeep = try members.flag("deep") ?? false
        let isKept = try members.flag("keep") ?? true
        try members.finish()
        guard isDeep || !ids.isEmpty else {
            throw APIError.bad("Nothing is chosen.", advice: "Choose something.")
        }
        let look = try await cleanables.look(in: situation)
        let selection = try await queue.run { () throws -> CleaningSelection in
            let items = try Self.items(ids, in: look)
            guard isDeep else { return CleaningSelection(items) }
            var selection = CleaningSelection.deep
            selection.items = items
            return selection
        }
        var preview = APICleaningPreview()
        if selection.purgesAnything {
            let kept = try await planned(selection, in: situation)
            preview = try await queue.run { APICleaningPreview(of: kept.whole) }
            if isKept, !kept.whole.isEmpty {
                try await plans.keep(kept)
                preview.plan = APICleaningPreview.Purge(
                    id: kept.id, selection: kept.digest, expires: kept.expires.iso8601)
            }
        }
        let paths = selection.userFiles
        if !paths.isEmpty {
            let workspace = situation.workspace
            let files = try await queue.run {
                workspace.ledger.refresh()
                return workspace.select(userFiles: paths)
            }
            preview.add(files)
            if isKept, !files.isEmpty {
                let (id, expires) = await disposals.keep(files)
                preview.disposal = APICleaningPreview.Confirmation(
                    id: id, expires: expires.iso8601)
            }
        }
        let choice = try ModuleChoice(selection, in: look, of: situation)
        preview.add(choice)
        if isKept, !choice.modules.isEmpty {
            let (id, expires) = await moduleChoices.keep(choice)
            preview.moduleRun = APICleaningPreview.Confirmation(id: id, expires: expires.iso8601)
        }
        return preview
    }

    /// The plan of what is purged, by the areas of now: nothing that is chosen makes it go that may not.
    private func planned(
        _ selection: CleaningSelection, in situation: APISituation
    ) async throws -> KeptPlan {
        let seen = try await inventories.current(.areas, in: situation)
        return try await queue.run {
            situation.workspace.ledger.refresh()
            return KeptPlan(
                try Cleaner.plan(selection, in: seen.scope, seen.inventory),
                id: JobBoard.makeID() + JobBoard.makeID(), configuration: situation.number,
                target: selection.isDeep
                    ? "everything that can be made again" : "what was chosen by hand",
                now: situation.workspace.clock(), lifetime: PlanShelf.lifetime)
        }
    }

    private static func ids(_ value: JSONValue?) throws(APIError) -> [String] {
        guard let value else { return [] }
        guard case .list(let list) = value, list.count <= 2_000 else {
            throw .bad("“items” is not a list of at most 2,000 ids.")
        }
        var ids: [String] = []
        var known: Set<String> = []
        for element in list {
            guard case .text(let id) = element, id.unicodeScalars.count <= 12_288 else {
                throw .bad("“items” has something that is no id.")
            }
            guard known.insert(id).inserted else { throw .bad("“items” has an id twice.") }
            ids.append(id)
        }
        return ids
    }

    /// Only what is listed can be named.
    private static func items(
        _ ids: [String], in look: SeenCleanables.Look
    ) throws(APIError) -> [Cleanable] {
        guard !ids.isEmpty else { return [] }
        let all = look.sections.flatMap(\.update.items)
        let listed = Dictionary(
            all.map { (APICleanable.id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        var items: [Cleanable] = []
        var disposed = 0
        for id in ids {
            guard let item = listed[id] else {
                throw .notFound(
                    "“\(id.apiShort)” is not listed, or not any more.",
                    advice: "GET /api/v1/cleanables lists what can be chosen.")
            }
            guard APICleanable.isSelectable(item) else {
                throw .bad(
                    item.action == .module
                        ? "\(item.name.apiShort) cannot be chosen: it holds nothing, or does not say what."
                        : "\(item.name.apiShort) cannot be chosen: something else cleans it.",
                    advice: "Choose what says that it is selectable.")
            }
            if item.action == .dispose { disposed += 1 }
            guard disposed <= 1_000 else {
                throw .bad(
                    "More than 1,000 files are to be moved to the trash.",
                    advice: "Clean in several steps.")
            }
            items.append(item)
        }
        return items
    }
}
