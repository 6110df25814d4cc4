//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomEngine
public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Records what the automation tells in the history, and makes forecasts of it.
///
/// Each volume is sampled once a minute, which is the closest that a history keeps, and when its level
/// changes. What is recorded waits in a queue and is written on a thread of its own.
///
///     let keeper = HistoryKeeper(history, retention: retention, onForecast: …, onTrouble: …)
///     Task { await keeper.run() }
///     keeper.note(event, at: .now())
///     keeper.finish()  // run() ends when all is written
public final class HistoryKeeper: Sendable {
    /// What is expected of one volume.
    public struct Expectation: Hashable, Sendable {
        public var volume: FilePath
        /// When it was made.
        public var time: Timestamp
        public var bytes: Forecast
        /// Nil where inodes are not limited.
        public var inodes: Forecast?
    }

    private enum Entry: Sendable {
        case sample(HistoryVolume, ForecastSample, PressureThresholds)
        case receipt(ReceiptSummary)
        case event(HistoryEvent)
        case usages([Usage], volume: FilePath?, time: Timestamp)
    }

    /// What an area or a module occupied.
    private struct Usage: Sendable {
        var subject: UsageSubject
        var sample: UsageSample
        /// What was written lately.
        var recent: [GrowthAnomaly.Item] = []
    }

    private struct Sampled {
        var time: Timestamp
        var level: PressureLevel?
    }

    private let history: History
    private let retention: Duration
    private let onForecast: @Sendable (Expectation) -> Void
    private let onAnomaly: @Sendable (GrowthAnomaly, FilePath?, Timestamp) -> Void
    private let onTrouble: @Sendable (String) -> Void
    private let entries: AsyncStream<Entry>
    private let queue: AsyncStream<Entry>.Continuation
    private let sampled = Mutex<[FilePath: Sampled]>([:])

    static let sampleInterval: Duration = .seconds(60)
    static let thinningInterval: Duration = .seconds(3_600)
    /// More than this nobody writes in the time that a disk may hang.
    static let queueSize = 1_000

    /// - Parameters:
    ///   - retention: what is older goes.
    ///   - onForecast: called after each sample.
    ///   - onAnomaly: told what grew beyond its usual rate, once for each time in which it did, with the
    ///     volume that it lies on and the time; the event is recorded already.
    ///   - onTrouble: told what could not be recorded, in whole sentences.
    public init(
        _ history: History, retention: Duration,
        onForecast: @escaping @Sendable (Expectation) -> Void,
        onAnomaly: @escaping @Sendable (GrowthAnomaly, FilePath?, Timestamp) -> Void = { _, _, _ in
        },
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        self.history = history
        self.onAnomaly = onAnomaly
        self.retention = retention
        self.onForecast = onForecast
        self.onTrouble = onTrouble
        (entries, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.queueSize))
    }

    // MARK: - Taking

    /// Takes an event; returns at once.
    public func note(_ event: AutomationEvent, at time: Timestamp) {
        if let event = event.historyEvent(at: time) { queue.yield(.event(event)) }
        switch event {
        case .read(let volume, let pressure, let thresholds):
            guard pressure.state == .answering, let figures = pressure.figures,
                isTime(for: volume.mountPoint, pressure.level, at: time)
            else { return }
            queue.yield(
                .sample(
                    HistoryVolume(mountPoint: volume.mountPoint, type: volume.type),
                    ForecastSample(figures, at: time), thresholds))
        case .ended(let result):
            guard result.outcome == .purged, let receipt = result.receipt else { return }
            // So that the forecast has the freed space at once.
            // mutation: r28d-2
            if let volume = result.volume { sampled.withLock { $0[volume] = nil } }
            queue.yield(
                .receipt(
                    ReceiptSummary(receipt, trigger: result.trigger, volume: result.volume)))
        case .purgedByHand(let receipt, let volume):
            queue.yield(.receipt(ReceiptSummary(receipt, trigger: .byHand, volume: volume)))
        case .modules(let run):
            let usages = run.modules.compactMap { report in
                (report.after ?? report.before).map {
                    Usage(
                        subject: .module(report.id), sample: UsageSample(time: time, bytes: $0))
                }
            }
            // mutation: r41d-1
            if !usages.isEmpty { queue.yield(.usages(usages, volume: nil, time: time)) }
        case .watching, .gone, .pressure, .began, .putOff, .wouldRemove, .plight, .relieved,
            .withheld, .agePause, .looked, .trouble:
            break
        }
    }

    /// Takes what areas occupy; returns at once.
    public func note(_ survey: AreaSurvey) {
        let usages = survey.areas.map { area in
            Usage(
                subject: .area(area.root),
                sample: UsageSample(
                    time: survey.time, bytes: area.allocated, items: area.items,
                    purgeable: area.purgeable),
                recent: area.recent.map {
                    GrowthAnomaly.Item(
                        path: $0.path, bytes: $0.allocated, written: $0.written)
                })
        }
        if !usages.isEmpty {
            queue.yield(.usages(usages, volume: survey.volume, time: survey.time))
        }
    }

    /// Takes an event that is none of the automation's; returns at once.
    public func note(_ event: HistoryEvent) { queue.yield(.event(event)) }

    private func isTime(
        for volume: FilePath, _ level: PressureLevel?, at time: Timestamp
    ) -> Bool {
        sampled.withLock { sampled in
            if let last = sampled[volume], last.level == level {
                let passed = time.duration(since: last.time)
                // A clock that is set back does not end the samples.
                guard passed >= Self.sampleInterval || passed < .zero else { return false }
            }
            sampled[volume] = Sampled(time: time, level: level)
            return true
        }
    }

    // MARK: - Writing

    /// Nothing is taken any more.
    public func finish() { queue.finish() }

    /// Records what is taken, until all is written after ``finish()``; then closes the history.
    public func run() async {
        var thinned: Timestamp?
        for await entry in entries {
            await write { history throws(HeadroomError) in try self.record(entry, in: history) }
            guard case .sample(_, let sample, _) = entry else { continue }
            if let last = thinned {
                let passed = sample.time.duration(since: last)
                guard passed >= Self.thinningInterval || passed < .zero else { continue }
            }
            thinned = sample.time
            let retention = retention
            await write { history throws(HeadroomError) in
                try history.thin(now: sample.time, retention: retention)
            }
        }
        await write { history throws(HeadroomError) in try history.close() }
    }

    private func write(
        _ body: @escaping @Sendable (History) throws(HeadroomError) -> Void
    ) async {
        let history = history
        do throws(HeadroomError) {
            try await BlockingThread.run(lowersPriority: true) { () throws(HeadroomError) in
                try body(history)
            }
        } catch {
            onTrouble(error.message)
        }
    }

    private func record(_ entry: Entry, in history: History) throws(HeadroomError) {
        switch entry {
        case .receipt(let receipt): try history.record(receipt)
        case .event(let event): try history.record(event)
        case .usages(let usages, let volume, let time):
            try history.record(usages.map { ($0.subject, $0.sample) })
            for usage in usages { try look(at: usage, volume, time, in: history) }
        case .sample(let volume, let sample, let thresholds):
            try history.record([(volume, sample)])
            let samples = try history.samples(of: volume)
            onForecast(
                Expectation(
                    volume: volume.mountPoint, time: sample.time,
                    bytes: .ofBytes(samples, now: sample.time, thresholds: thresholds),
                    inodes: .ofInodes(samples, now: sample.time, thresholds: thresholds)))
        }
    }
    // MARK: - Growth

    /// Tells growth that is not usual, unless it was told of this time already, by this process or by
    /// the one before.
    private func look(
        at usage: Usage, _ volume: FilePath?, _ time: Timestamp, in history: History
    ) throws(HeadroomError) {
        let rule = GrowthRule.standard
        let samples = try history.usages(
            of: usage.subject, since: time.advanced(by: .zero - rule.past * 2))
        guard
            let anomaly = GrowthAnomaly.find(
                // mutation: r41c-1
                usage.subject, samples: samples, newItems: usage.recent, now: time, rule: rule)
        else { return }
        let told = try history.events(
            of: .anomaly, since: time.advanced(by: .zero - anomaly.window))
        // mutation: r41e-1
        guard !told.contains(where: { $0.subject == usage.subject.name }) else { return }
        try history.record(anomaly.event(at: time, volume: volume))
        onAnomaly(anomaly, volume, time)
    }
}
