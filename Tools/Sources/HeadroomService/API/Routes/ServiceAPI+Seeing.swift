//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Hummingbird
import SystemPackage

extension ServiceAPI {
    func addSeeing(to routes: inout APIRoutes) {
        routes.on(.get, "/status") { [self] _ in APIAnswer.json(try await status()) }
        routes.on(.get, "/history", parameters: ["volume", "days", "points"]) { [self] request in
            APIAnswer.json(try await history(request))
        }
        routes.on(.get, "/areas") { [self] _ in APIAnswer.json(try await areas()) }
        routes.on(.get, "/explain", parameters: ["path"]) { [self] request in
            APIAnswer.json(try await explain(request))
        }
        routes.on(.get, "/settings") { [self] _ in APIAnswer.json(try settings()) }
        routes.on(.get, "/asking") { [self] _ in
            APIAnswer.json(["asking": try await proposals()])
        }
    }

    // MARK: - Status

    private func status() async throws -> APIStatus {
        let situation = try situation()
        await inventories.refresh(.areas, in: situation)
        let figures = await inventories.latestFigures(.areas)
        let inventory = await inventories.state(.areas)
        let asking = try await proposals()
        let jobs = await board.running
        let (version, cache) = (version, inventories)
        return try await queue.run {
            let look = StatusLook(situation: situation, scanned: figures) { time in
                cache.note(purgeEnded: time)
            }
            var status = try look.status(version: version, inventory)
            status.asking = asking
            status.jobs = jobs
            return status
        }
    }

    // MARK: - History

    private func history(_ request: APIRequest) async throws -> APIHistory {
        let situation = try situation()
        guard let path = try request.query.path("volume") else {
            throw APIError.bad("No volume is named.")
        }
        let days = try request.query.integer("days", 1...400, default: 30)
        let points = try request.query.integer("points", 10...4_000, default: 500)
        return try await queue.run {
            try HistoryLook(situation: situation).history(of: path, days: days, points: points)
        }
    }

    // MARK: - Areas

    private func areas() async throws -> APIAreas {
        let situation = try situation()
        let seen = try await inventories.current(.areas, in: situation)
        let state = await inventories.state(.areas)
        return try await queue.run {
            var budget = AnswerBudget(800_000)
            var summaries: [FilePath: [PurgeLadder.AreaSummary]] = [:]
            for summary in (seen.figures.ladder?.classes ?? []).flatMap(\.areas) {
                guard let root = summary.area?.root else { continue }
                summaries[root, default: []].append(summary)
            }
            let all = seen.scope.areas.map { APIArea($0, summaries[$0.root] ?? []) }
                .sorted { ($1.bytes, $0.path) < ($0.bytes, $1.path) }
            var listed: [APIArea] = []
            for area in all {
                guard budget.admits(area.cost) else { break }
                listed.append(area)
            }
            return APIAreas(
                areas: listed,
                notes: seen.scope.notes.prefix(50).map {
                    APIReason(Reason($0.code, $0.text.apiShort))
                }, inventory: state,
                unlisted: listed.count < all.count ? all.count - listed.count : nil)
        }
    }

    // MARK: - Explaining

    private func explain(_ request: APIRequest) async throws -> APIExplanation {
        let situation = try situation()
        guard let path = try request.query.path("path") else {
            throw APIError.bad("No path is named.")
        }
        let seen = try await inventories.current(.areas, in: situation)
        return try await queue.run {
            let workspace = situation.workspace
            let size = try ExplainedSize(path, now: workspace.clock())
            let explainer = Explainer(
                seen.inventory, try seen.scope.request(targets: [.all], through: .lastResort))
            let uses = seen.scope.inUse()
            let explanation = try workspace.recheckingMarks(
                of: explainer.explain(path) { uses.reason(for: $0) }
            ) { uses.reason(for: $0) }
            return APIExplanation(
                explanation,
                size: explanation.subject == .unknown
                    ? try size.measured() : explanation.allocated,
                mark: try workspace.effectiveMark(of: path),
                allowsClassMark: workspace.allowsClassMark(on: path),
                backup: try workspace.backupExclusionReader(for: [path]).exclusion(of: path),
                protection: Protection.of(path), cache: workspace.wellKnownCache(at: path))
        }
    }

    // MARK: - Settings

    private func settings() throws(APIError) -> APISettings {
        let loaded = try situation().loaded
        var budget = AnswerBudget()
        var settings = APISettings(
            settings: [], files: loaded.files.prefix(500).map { PathText($0).text },
            notes: loaded.notes.prefix(100).map { "\($0)".apiShort })
        for setting in loaded.configuration.settings {
            let place = loaded.location(of: setting.key)
            let file = place.map { PathText($0.file).text }
            guard
                budget.admits(
                    120 + AnswerBudget.cost(setting.key) + AnswerBudget.cost(setting.value)
                        + AnswerBudget.cost(file ?? ""))
            else { break }
            settings.settings.append(
                .init(
                    key: setting.key, value: setting.value, default: place == nil, file: file,
                    line: place?.line))
        }
        return settings
    }
}

/// The configuration as it holds.
struct APISettings: Encodable, Sendable {
    struct Setting: Encodable, Sendable {
        var key: String
        var value: String
        var `default`: Bool
        var file: String?
        var line: Int?
    }

    var settings: [Setting]
    var files: [String]
    var notes: [String]
}
