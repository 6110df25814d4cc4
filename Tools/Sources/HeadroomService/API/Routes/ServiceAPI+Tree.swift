//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Hummingbird
import Synchronization
import SystemPackage

extension ServiceAPI {
    func addTree(to routes: inout APIRoutes) {
        routes.on(.post, "/scans") { [self] request in
            let situation = try situation()
            var members = try await request.members()
            let name = try members.text("view", limit: 20) ?? InventoryView.areas.rawValue
            try members.finish()
            guard let view = InventoryView(rawValue: name) else {
                throw APIError.bad("“view” is none of: areas, home.")
            }
            let scan = try await inventories.begin(view, in: situation)
            return APIAnswer.json(
                ["job": try await started(scan)], status: .accepted)
        }
        let parameters: Set<String> = ["view", "path", "depth", "limit", "cursor"]
        routes.on(.get, "/tree", parameters: parameters) { [self] request in
            APIAnswer.json(try await tree(request))
        }
    }

    /// The job of a scan that has just begun.
    private func started(_ scan: SeenInventories.Scan) async throws -> APIJob {
        // The scan itself puts it on the board, a moment later.
        for _ in 0..<100 {
            if let job = try? await board.look(scan.id).job { return job }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw APIError.tooMany
    }

    private func tree(_ request: APIRequest) async throws -> APITree {
        let situation = try situation()
        let view = try request.query.choice("view", default: InventoryView.areas)
        let path = try request.query.path("path")
        let depth = try request.query.integer("depth", 1...6, default: 1)
        let limit = try request.query.integer("limit", 1...4_000, default: 500)
        let cursor = try request.query.text("cursor")
        let seen: SeenInventory
        if let latest = await inventories.latest(view) {
            seen = latest
            await inventories.refresh(view, in: situation)
        } else {
            seen = try await inventories.current(view, in: situation)
        }
        let state = await inventories.state(view)
        let offset = try Self.offset(cursor, in: seen, depth: depth, hasPath: path != nil)
        return try await queue.run {
            let inUse = seen.scope.inUse()
            var walk = TreeWalk(seen, inUse: inUse)
            var tree = APITree(view: view.rawValue, inventory: state, roots: [])
            guard let path else {
                var budget = AnswerBudget(800_000)
                for root in seen.inventory.rootDirectories {
                    var walk = TreeWalk(seen, inUse: inUse, budget: AnswerBudget(0))
                    var node = walk.node(of: root, depth: 1, limit: 0)
                    node.children = nil
                    node.rest = nil
                    let text = PathText(root.path)
                    guard budget.admits(60 + AnswerBudget.cost(text) + node.cost) else { break }
                    tree.roots.append(
                        .init(path: text.text, pathBytes: text.encoded, node: node))
                }
                tree.roots.sort { ($1.node.bytes, $0.path) < ($0.node.bytes, $1.path) }
                return tree
            }
            guard let directory = seen.inventory.directory(at: path) else {
                throw APIError.notFound(
                    "No scan has found a directory at \(path.displayText.apiShort).",
                    advice: "Look at what is around it, or scan again.")
            }
            let text = PathText(path)
            tree.path = text.text
            tree.pathBytes = text.encoded
            tree.parents = TreeWalk.crumbs(above: directory)
            tree.node = walk.node(of: directory, depth: depth, limit: limit, offset: offset)
            return tree
        }
    }

    private static func offset(
        _ cursor: String?, in seen: SeenInventory, depth: Int, hasPath: Bool
    ) throws(APIError) -> Int {
        guard let cursor else { return 0 }
        guard depth == 1, hasPath else {
            throw .bad("A cursor goes with a path, and with depth 1.")
        }
        let parts = cursor.split(separator: ".")
        guard parts.count == 2, let offset = Int(parts[1]), offset >= 0 else {
            throw .bad("The cursor is none that was answered.")
        }
        guard parts[0] == seen.id else {
            throw .conflict(
                "conflict", "It was scanned again since the cursor was answered.",
                advice: "Begin without a cursor.")
        }
        return offset
    }
}
