//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import Synchronization
import SystemPackage

/// What there is to choose from by hand, section by section: it is looked for when somebody looks, and can be
/// seen meanwhile.
actor SeenCleanables {
    private let board: JobBoard
    private let inventories: SeenInventories
    private let now: @Sendable () -> Timestamp
    private var running: Survey?
    /// The last that has ended.
    private var done: Survey?
    /// Why the last one found nothing; told once.
    private var failure: APIError?
    private var lastUse: Timestamp?

    init(
        _ board: JobBoard, _ inventories: SeenInventories,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.board = board
        self.inventories = inventories
        self.now = now
    }

    /// What one survey has found so far: written by its thread.
    private final class Findings: Sendable {
        private let content = Mutex<[CleaningSection: CleaningUpdate]>([:])

        func put(_ update: CleaningUpdate) {
            var update = update
            // No request could name it.
            update.items.removeAll { ($0.path?.length ?? 0) > PathText.longest }
            content.withLock { [update] in $0[update.section] = update }
        }

        var sections: [CleaningSection: CleaningUpdate] { content.withLock { $0 } }
    }

    private struct Survey {
        /// Of its job.
        let id: String
        let configuration: Int
        /// How often the disk had been changed by then.
        let changes: Int
        let findings = Findings()
        var ended: Timestamp?
        var wasStopped = false
    }

    /// What is known at a moment.
    struct Look: Sendable {
        struct Section: Sendable {
            var update: CleaningUpdate
            /// By which survey: another with each.
            var survey: String
        }

        var sections: [Section]
        /// The job that looks for more.
        var job: String?
        /// When all was found.
        var ended: Timestamp?
        var wasStopped = false
    }

    // MARK: - Looking

    /// What is known; begins a survey if there is none, it is old, or the disk was changed by this service
    /// since. Does not wait.
    ///
    /// - Throws: what hindered the last survey, once; 429 if too much is under way.
    func look(in situation: APISituation) async throws(APIError) -> Look {
        let changes = await inventories.changes
        lastUse = now()
        forget(otherThan: situation.number)
        if let failure {
            self.failure = nil
            throw failure
        }
        if running == nil, !isFresh(changes) { try await begin(in: situation, changes) }
        return known
    }

    /// Looks anew, unless somebody does.
    ///
    /// - Returns: the job.
    func lookAgain(in situation: APISituation) async throws(APIError) -> APIJob {
        let changes = await inventories.changes
        lastUse = now()
        forget(otherThan: situation.number)
        failure = nil
        if let running { return try await board.look(running.id).job }
        return try await begin(in: situation, changes)
    }

    private func isFresh(_ changes: Int) -> Bool {
        guard let done, done.changes == changes, let ended = done.ended else { return false }
        let age = now().duration(since: ended)
        // Of the future, by a clock that was set back: nobody knows how old it is.
        return age >= .zero && age < SeenInventories.freshness
    }

    /// What was found by another configuration holds no more.
    private func forget(otherThan number: Int) {
        if let running, running.configuration != number { self.running = nil }
        if let done, done.configuration != number { self.done = nil }
    }

    /// Lets go what nobody looks at.
    func release() {
        guard let lastUse, now().duration(since: lastUse) <= SeenInventories.patience else {
            done = nil
            return
        }
    }

    /// What was known before stands in a section until all of it is known anew.
    private var known: Look {
        let before = done?.findings.sections ?? [:]
        let next = running?.findings.sections ?? [:]
        let sections = CleaningSection.all.map { section -> Look.Section in
            if let running {
                if let update = next[section], update.isComplete || before[section] == nil {
                    return Look.Section(update: update, survey: running.id)
                }
                var update =
                    before[section]
                    ?? CleaningUpdate(section: section, items: [], isComplete: false)
                update.isComplete = false
                return Look.Section(update: update, survey: done?.id ?? running.id)
            }
            return Look.Section(
                update: before[section]
                    ?? CleaningUpdate(section: section, items: [], isComplete: true),
                survey: done?.id ?? "")
        }
        return Look(
            sections: sections, job: running?.id, ended: done?.ended,
            wasStopped: running == nil && done?.wasStopped == true)
    }

    // MARK: - Surveys

    @discardableResult
    private func begin(
        in situation: APISituation, _ changes: Int
    ) async throws(APIError) -> APIJob {
        let survey = Survey(
            id: JobBoard.makeID(), configuration: situation.number, changes: changes)
        running = survey
        let id = survey.id
        let findings = survey.findings
        let inventories = inventories
        let progress = ScanProgress()
        let measuring = StoppableTask<Void>()
        do throws(APIError) {
            return try await board.start(
                JobWork(
                    id: id, kind: .survey, title: "Looking for what can be cleaned",
                    configuration: situation.number,
                    progress: { APIJob.Progress(progress) },
                    cancel: {
                        progress.cancel()
                        measuring.cancel()
                    },
                    body: {
                        do {
                            // The figures of plans are of the same inventory.
                            let seen = try await inventories.current(.areas, in: situation)
                            await measuring.run {
                                await Self.findModules(of: situation, findings)
                            }
                            try await Self.survey(situation, seen, findings, progress)
                        } catch {
                            await self.end(id, failure: APIError(any: error), progress)
                            throw error
                        }
                        await self.end(id, failure: nil, progress)
                        return JobOutcome(
                            text: "What can be cleaned was looked for.",
                            wasCancelled: progress.isCancelled)
                    }))
        } catch {
            if running?.id == id { running = nil }
            throw error
        }
    }

    private func end(_ id: String, failure: APIError?, _ progress: ScanProgress) {
        // One by another configuration is not heard any more.
        guard var survey = running, survey.id == id else { return }
        running = nil
        if let failure {
            self.failure = failure
            return
        }
        survey.ended = now()
        survey.wasStopped = progress.isCancelled
        done = survey
    }

    private static func survey(
        _ situation: APISituation, _ seen: SeenInventory, _ findings: Findings,
        _ progress: ScanProgress
    ) async throws(HeadroomError) {
        try await BlockingThread.run(lowersPriority: false) { () throws(HeadroomError) in
            try Cleaner(situation.workspace).survey(
                of: (scope: seen.scope, inventory: seen.inventory), progress: progress
            ) { findings.put($0) }
        }
    }

    /// What the modules of the configuration hold, by their own measure.
    private static func findModules(of situation: APISituation, _ findings: Findings) async {
        let automation = situation.automation
        let reports = await automation.modules.usage(
            timeLimit: automation.settings.policy.moduleTimeLimit)
        let items = reports.map { report in
            Cleanable(
                id: report.id, section: .moduleCaches, name: report.displayName, path: nil,
                note: report.trouble ?? report.quota.map { "quota \($0)" } ?? "",
                allocated: report.before,
                fileCount: 0, action: .module)
        }
        findings.put(
            CleaningUpdate(section: .moduleCaches, items: items, isComplete: true))
    }
}
