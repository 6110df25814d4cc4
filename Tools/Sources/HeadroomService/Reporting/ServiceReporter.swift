//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomConfiguration
public import HeadroomEngine
import HeadroomPlatform
public import Logging
import Synchronization
public import SystemPackage

/// Tells the world around the service what it does: by its metrics, in the history, and by
/// notices to people.
public actor ServiceReporter {
    private let metrics: ServiceMetrics
    private let feed: MetricsFeed
    private let server: MetricsServer
    private let recording: HistoryRecording
    private let areas: AreaBook
    private let check: AreaCheck
    private let board: NoticeBoard
    private let environment: [String: String]
    private let logger: Logger
    private let log: AutomationLog
    private let mode: Mode
    private let troubles: Troubles
    /// Tells what is on the board.
    private var telling: Task<Void, Never>?

    /// What the events of now mean, for whoever tells them from any thread.
    private final class Mode: Sendable {
        private let content = Mutex(ServiceMode.observe)

        var value: ServiceMode { content.withLock { $0 } }
        func set(_ mode: ServiceMode) { content.withLock { $0 = mode } }
    }

    /// Problems of the current configuration.
    private final class Troubles: Sendable {
        private let content = Mutex<Set<String>>([])

        func note(_ text: String) { content.withLock { _ = $0.insert(text) } }

        func take() -> Set<String> {
            content.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    /// - Parameters:
    ///   - version: the program's.
    ///   - directory: where the history is unless the configuration names a file: beside the ledger.
    ///   - workspace: knows which areas may be used.
    ///   - environment: of the process; what tells people gets what it needs of it.
    ///   - pages: what is served beside the metrics.
    public init(
        version: String, directory: FilePath, workspace: Workspace,
        environment: [String: String], pages: ServedPages? = nil, logger: Logger
    ) {
        let metrics = ServiceMetrics(version: version)
        let feed = MetricsFeed(metrics)
        let log = AutomationLog(logger)
        self.metrics = metrics
        self.feed = feed
        self.log = log
        self.logger = logger
        self.environment = environment
        let board = NoticeBoard(
            tellers: [], interval: Policy.standard.reminderInterval, logger: logger)
        self.board = board
        mode = Mode()
        // What is wrong with one of these is told by the others.
        let troubles = Troubles()
        self.troubles = troubles
        let onTrouble: @Sendable (String) -> Void = { text in
            troubles.note(text)
            feed.note(.trouble(text), at: .now())
            Self.post(.trouble(text), to: board, metrics)
            log.note(.trouble(text))
        }
        let recording = HistoryRecording(
            in: directory, feed: feed,
            onAnomaly: { anomaly, volume, time in
                metrics.record(anomaly.event(at: time, volume: volume))
                let notice = anomaly.notice(at: time, volume: volume)
                if board.post(notice) { metrics.record(notice) }
            }, onTrouble: onTrouble)
        self.recording = recording
        server = MetricsServer(metrics, pages: pages, logger: logger) { text in
            recording.note(.trouble(text), at: .now())
            onTrouble(text)
        }
        areas = AreaBook(
            onLook: { feed.note(lookTook: $0) },
            onSurvey: { survey in
                feed.set(survey)
                recording.note(survey)
            }, onPurge: { feed.set($0) },
            onTrouble: { text in
                recording.note(.trouble(text), at: .now())
                onTrouble(text)
            })
        check = AreaCheck(workspace) { change in
            let event = HistoryEvent(
                time: .now(), kind: .configuration, subject: change.area.root.string,
                text: change.text)
            metrics.record(event)
            recording.note(event)
            let notice = Notice(
                time: .now(), kind: .configuration, subject: change.area.root.displayText,
                text: change.text)
            if board.post(notice) { metrics.record(notice) }
            // That it is used again is news, and nothing that people should still know later.
            if !change.isLeftOut {
                board.settle(.configuration, of: notice.subject, onVolume: nil)
            }
        }
    }

    /// Does as a configuration says from now on; before the automation begins with it.
    public func use(_ configuration: ServiceConfiguration) async {
        feed.reset()
        areas.reset()
        metrics.set(configurationIsTaken: true, at: .now())
        board.settle(.configuration)
        // Problems that persist are posted again below.
        // mutation: r29d-3
        board.settle(.service, texts: troubles.take())
        mode.set(configuration.mode)
        useTellers(configuration)
        await recording.use(configuration.history)
        await server.use(configuration.listen)
        await check.use(configuration.areas + configuration.leftOut)
        note(.configuration, "The service runs with the mode \(configuration.mode.rawValue).")
    }

    private func useTellers(_ configuration: ServiceConfiguration) {
        if telling == nil {
            let board = board
            // Awaited by `end`. It does not throw.
            telling = Task { try? await board.run() }
        }
        var failures: [HeadroomError] = []
        board.use(
            configuration.notifications.tellers(logger: logger, environment: environment) {
                failures.append($0)
            }, interval: configuration.policy.reminderInterval)
        // Told by the ways that are left.
        for failure in failures {
            let text = "\(failure.message) Notices go without it."
            troubles.note(text)
            note(.trouble(text))
        }
    }

    /// - Returns: whether the log gets a line about it from the board.
    @discardableResult
    private static func post(
        _ event: AutomationEvent, mode: ServiceMode = .observe, to board: NoticeBoard,
        _ metrics: ServiceMetrics
    ) -> Bool {
        var isLogged = false
        for notice in event.notices(mode: mode, at: .now()) where board.post(notice) {
            metrics.record(notice)
            if !notice.isInLog { isLogged = true }
        }
        return isLogged
    }

    /// Takes what the automation tells, from any thread; does not block.
    public nonisolated func note(_ event: AutomationEvent) {
        let now = Timestamp.now()
        feed.note(event, at: now)
        recording.note(event, at: now)
        switch event {
        case .ended(let result):
            areas.note(result)
            settle(result)
        case .purgedByHand(let receipt, let volume): areas.note(receipt, of: volume)
        case .agePause(nil): board.settle(.service, of: "clock", onVolume: nil)
        case .gone(let volume): areas.forget(volume)
        case .pressure(let change): noteAnswer(change.volume, at: now)
        default: break
        }
        let isLogged = Self.post(event, mode: mode.value, to: board, metrics)
        // The log last: who has read it finds the rest. One line is enough.
        if !isLogged { log.note(event) }
    }

    /// Removes notices about earlier purges.
    private nonisolated func settle(_ result: PolicyResult) {
        let subject = result.step.purpose.name
        if case .failed = result.outcome { return }
        // mutation: r24e-7
        board.settle(.service, of: subject, onVolume: result.volume)
        if result.isComplete { board.settle(.missed, of: subject, onVolume: result.volume) }
    }

    /// Tells that a volume answers again of which people were told that it does not.
    private nonisolated func noteAnswer(_ volume: VolumePressure, at now: Timestamp) {
        switch volume.state {
        case .unread, .silent, .failing, .exempt(.readOnly): return
        case .answering, .exempt(.pseudo): break
        }
        guard board.settle(.volume, ofVolume: volume.mountPoint) else { return }
        var notice = Notice(
            time: now, kind: .volume, volume: volume.mountPoint,
            text: "\(volume.mountPoint.displayText) answers again.")
        notice.isInLog = true
        if board.post(notice) { metrics.record(notice) }
        // That is news, and nothing that people should still know later.
        _ = board.settle(.volume, ofVolume: volume.mountPoint)
    }

    /// Takes what a policy sees of areas, on the thread that works for it; blocks while it is summed up.
    public nonisolated func note(_ look: PolicyLook) { areas.show(look) }

    /// What the automation sees of the world: what is expected by the history, for one.
    public nonisolated func world() -> AutomationWorld {
        var world = AutomationWorld()
        let recording = recording
        world.outlooks = { recording.outlooks(of: $0, at: $1) }
        return world
    }

    /// What people were told and still should know, in whole sentences, what matters most first.
    public nonisolated func banners() -> [String] { board.banners(at: .now()).map(\.text) }

    /// Takes that the configuration on disk has errors.
    public func noteRefused(_ errors: ConfigurationErrors) {
        metrics.set(configurationIsTaken: false, at: .now())
        let first = errors.problems.first.map { " \($0)" } ?? ""
        note(
            .configuration, "The configuration has errors, and the one before is kept.\(first)")
        var notice = Notice(
            time: .now(), kind: .configuration,
            text: "The configuration has errors, and the one before is kept. See headroom config "
                + "check.\(first)")
        // Each of them has a line of its own there.
        notice.isInLog = true
        if board.post(notice) { metrics.record(notice) }
    }

    private func note(_ kind: HistoryEvent.Kind, _ text: String) {
        let event = HistoryEvent(time: .now(), kind: kind, text: text)
        metrics.record(event)
        recording.note(event)
    }

    /// Ends all of it.
    public func end() async {
        await check.use([])
        note(.service, "The service ends.")
        await server.use([])
        await recording.end()
        guard let telling else { return }
        self.telling = nil
        // What waits is still told, unless that takes long.
        let watchdog = Task {
            // Cancelled: all is told.
            guard (try? await Task.sleep(for: .seconds(10))) != nil else { return }
            telling.cancel()
        }
        board.finish()
        await telling.value
        watchdog.cancel()
    }
}
