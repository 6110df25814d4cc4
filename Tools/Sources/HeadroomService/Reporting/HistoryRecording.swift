//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomConfiguration
public import HeadroomEngine
public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Records in the history that the configuration names now, and knows what is expected of volumes.
///
/// One that cannot be opened is told; nothing is recorded then, until the configuration is read again.
public final class HistoryRecording: Sendable {
    private let directory: FilePath
    private let feed: MetricsFeed
    private let onAnomaly: @Sendable (GrowthAnomaly, FilePath?, Timestamp) -> Void
    private let onTrouble: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var keeper: (keeper: HistoryKeeper, task: Task<Void, Never>)?
        var configuration: HistoryConfiguration?
        var expected: [FilePath: HistoryKeeper.Expectation] = [:]
    }

    /// - Parameters:
    ///   - directory: where the history is if the configuration names no file: beside the ledger.
    ///   - onAnomaly: told what grew beyond its usual rate, with its volume and when; it is recorded.
    ///   - onTrouble: told what is wrong, in whole sentences.
    public init(
        in directory: FilePath, feed: MetricsFeed,
        onAnomaly: @escaping @Sendable (GrowthAnomaly, FilePath?, Timestamp) -> Void,
        onTrouble: @escaping @Sendable (String) -> Void
    ) {
        self.onAnomaly = onAnomaly
        self.directory = directory
        self.feed = feed
        self.onTrouble = onTrouble
    }

    /// Records as the configuration says from now on. For one caller at a time.
    public func use(_ configuration: HistoryConfiguration) async {
        let isSame = state.withLock { $0.keeper != nil && $0.configuration == configuration }
        if isSame { return }
        await end()
        let path = configuration.path ?? directory.appending("history.sqlite")
        let history: History
        do throws(HeadroomError) {
            history = try await BlockingThread.run(lowersPriority: false) {
                () throws(HeadroomError) in
                try History.open(at: path, isNamed: configuration.path != nil, now: .now())
            }
        } catch {
            onTrouble(
                "\(error.message) The service goes on without a history: nothing is forecast or recorded. "
                    + "Send it SIGHUP when that is mended.")
            return
        }
        for notice in history.notices { onTrouble(notice) }
        let keeper = HistoryKeeper(
            history, retention: configuration.retention,
            onForecast: { [self] in take($0) }, onAnomaly: onAnomaly, onTrouble: onTrouble)
        // Ends by `end`, which awaits it.
        let task = Task { await keeper.run() }
        state.withLock { state in
            state.keeper = (keeper, task)
            state.configuration = configuration
        }
    }

    /// Takes an event; returns at once.
    public func note(_ event: AutomationEvent, at time: Timestamp) {
        state.withLock { $0.keeper?.keeper }?.note(event, at: time)
    }

    /// Takes what areas occupy; returns at once.
    public func note(_ survey: AreaSurvey) {
        state.withLock { $0.keeper?.keeper }?.note(survey)
    }

    /// Takes an event that is none of the automation's; returns at once.
    public func note(_ event: HistoryEvent) {
        state.withLock { $0.keeper?.keeper }?.note(event)
    }

    /// Writes what was taken, and closes the history.
    public func end() async {
        let keeper = state.withLock { state in
            defer { state = State() }
            return state.keeper
        }
        keeper?.keeper.finish()
        await keeper?.task.value
    }

    private func take(_ expected: HistoryKeeper.Expectation) {
        state.withLock { $0.expected[expected.volume] = expected }
        feed.set(expected.bytes, of: expected.volume)
    }

    /// An older forecast says nothing of now: the volume was not read since.
    private static let patience: Duration = .seconds(600)

    /// What is expected of a volume: what ``AutomationWorld/outlooks`` asks for.
    public func outlooks(of volume: FilePath, at time: Timestamp) -> AutomationWorld.Outlooks {
        var outlooks = AutomationWorld.Outlooks()
        guard let expected = state.withLock({ $0.expected[volume] }),
            time.duration(since: expected.time) < Self.patience
        else { return outlooks }
        outlooks.age = max(.zero, time.duration(since: expected.time))
        (outlooks.bytes, outlooks.criticalBytes) = (expected.bytes.warning, expected.bytes.critical)
        if let inodes = expected.inodes {
            (outlooks.inodes, outlooks.criticalInodes) = (inodes.warning, inodes.critical)
        }
        return outlooks
    }
}
