//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import HeadroomPlatform
package import HeadroomRequests

/// The long work of the API: under way, and what came of it lately.
package actor JobBoard {
    private struct Entry {
        var job: APIJob
        /// Nil when it has ended: it may hold an inventory, and what is told of it is in `job`.
        var work: JobWork?
        /// Cancelled and awaited by `end`; nil when it has ended.
        var task: Task<Void, Never>?
        /// Counts how often the job has changed.
        var version = 1
        var wasCancelled = false
    }

    private var entries: [String: Entry] = [:]
    /// The ids, the oldest first.
    private var order: [String] = []
    private var hasEnded = false
    /// Nothing begins that goes by a configuration before this one.
    private var configuration = 0
    private let now: @Sendable () -> Timestamp

    /// What has ended is forgotten when there is more than this.
    static let keptJobs = 50
    package static let runningJobs = 8

    package init(now: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.now = now
    }

    // MARK: - Starting and ending

    /// Starts a job.
    ///
    /// - Throws: 409 if it changes the disk and another does so, 429 if too many run, 503 at the end, and if
    ///   it goes by a configuration that holds no more.
    package func start(_ work: JobWork) throws(APIError) -> APIJob {
        guard !hasEnded else { throw .starting }
        if let number = work.configuration, number < configuration { throw .reconfigured }
        let running = entries.values.filter { $0.job.state == .running }
        if work.kind.changesDisk, let other = running.first(where: { $0.job.kind.changesDisk }) {
            throw .busy(
                "Something else is under way: \(other.job.title), since \(other.job.started).")
        }
        guard running.count < Self.runningJobs else { throw .tooMany }
        let id = work.id
        let job = APIJob(
            id: id, kind: work.kind, title: work.title, started: now().iso8601)
        entries[id] = Entry(job: job, work: work)
        order.append(id)
        // Awaited by `end`, which tells it to end first.
        entries[id]?.task = Task { await self.run(id, work) }
        forgetOld()
        return job
    }

    package nonisolated static func makeID() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 36)
    }

    private func run(_ id: String, _ work: JobWork) async {
        var result: Result<JobOutcome, any Error>
        do {
            result = .success(try await work.body())
        } catch {
            result = .failure(error)
        }
        guard var entry = entries[id] else { return }
        entry.job.progress = work.progress()
        entry.job.ended = now().iso8601
        switch result {
        case .success(let outcome):
            entry.job.state = outcome.wasCancelled ? .cancelled : .done
            entry.job.receipt = outcome.receipt
            entry.job.receipts = outcome.receipts
            entry.job.audit = outcome.audit
            entry.job.modules = outcome.modules
            entry.job.unlistedModules = outcome.unlistedModules
            entry.job.modulesInTrouble = outcome.modulesInTrouble
            entry.job.text = outcome.text
        case .failure(let error):
            let error = APIError(any: error)
            entry.job.state = entry.wasCancelled ? .cancelled : .failed
            entry.job.error = error.body.error
            entry.job.text = error.message
        }
        entry.version += 1
        entry.work = nil
        entry.task = nil
        entries[id] = entry
    }

    private func forgetOld() {
        for id in order where order.count > Self.keptJobs {
            guard let entry = entries[id], entry.job.state != .running else { continue }
            entries[id] = nil
            order.removeAll { $0 == id }
        }
    }

    /// Cancels what runs and waits for it; nothing is started any more.
    package func end() async {
        hasEnded = true
        for entry in entries.values { entry.work?.cancel() }
        for task in entries.values.compactMap(\.task) { await task.value }
    }

    /// Cancels what goes by a configuration before this one, and waits for it; nothing of it begins any more.
    package func endWork(before number: Int) async {
        configuration = number
        var ending: [Task<Void, Never>] = []
        for (id, entry) in entries {
            guard let work = entry.work, let own = work.configuration, own < number else {
                continue
            }
            entries[id]?.wasCancelled = true
            work.cancel()
            if let task = entry.task { ending.append(task) }
        }
        for task in ending { await task.value }
    }

    // MARK: - Looking

    /// As it is now, and how often it has changed.
    package func look(_ id: String) throws(APIError) -> (job: APIJob, version: Int) {
        guard var entry = entries[id] else {
            throw .notFound(
                "There is no job “\(id.prefix(80))”, or it has been forgotten.",
                advice: "GET /api/v1/jobs lists those that are known.")
        }
        if let work = entry.work {
            let progress = work.progress()
            if progress != entry.job.progress {
                entry.job.progress = progress
                entry.version += 1
                entries[id] = entry
            }
        }
        return (entry.job, entry.version)
    }

    /// The latest first.
    var jobs: [APIJob] { order.reversed().compactMap { try? look($0).job } }

    var running: [APIJob] { jobs.filter { $0.state == .running } }

    /// Asks a job to end; one that has ended is left as it is.
    func cancel(_ id: String) throws(APIError) -> APIJob {
        let (job, _) = try look(id)
        guard job.state == .running else { return job }
        entries[id]?.wasCancelled = true
        entries[id]?.work?.cancel()
        return job
    }

    /// Waits until a job has ended.
    package func wait(for id: String) async {
        await entries[id]?.task?.value
    }
}
