//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
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
    private let board: NoticeBoard
    private let environment: [String: String]
    private let logger: Logger
    private let log: AutomationLog
    private let mode: Mode
    /// Tells what is on the board.
    private var telling: Task<Void, Never>?

    /// What the events of now mean, for whoever tells them from any thread.
    private final class Mode: Sendable {
        private let content = Mutex(ServiceMode.observe)

        var value: ServiceMode { content.withLock { $0 } }
        func set(_ mode: ServiceMode) { content.withLock { $0 = mode } }
    }

    /// - Parameters:
    ///   - version: the program's.
    ///   - directory: where the history is unless the configuration names a file: beside the ledger.
    ///   - environment: of the process; what tells people gets what it needs of it.
    ///   - pages: what is served beside the metrics.
    public init(
        version: String, directory: FilePath, environment: [String: String],
        pages: ServedPages? = nil, logger: Logger
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
        let recording = HistoryRecording(in: directory, feed: feed) { text in
            feed.note(.trouble(text), at: .now())
            Self.post(.trouble(text), to: board, metrics)
            log.note(.trouble(text))
        }
        self.recording = recording
        server = MetricsServer(metrics, pages: pages, logger: logger) { text in
            feed.note(.trouble(text), at: .now())
            recording.note(.trouble(text), at: .now())
            Self.post(.trouble(text), to: board, metrics)
            log.note(.trouble(text))
        }
    }

    /// Does as a configuration says from now on; before the automation begins with it.
    public func use(_ configuration: ServiceConfiguration) async {
        feed.reset()
        metrics.set(configurationIsTaken: true, at: .now())
        mode.set(configuration.mode)
        useTellers(configuration)
        await recording.use(configuration.history)
        await server.use(configuration.listen)
        note(.configuration, "The service runs with the mode \(configuration.mode.rawValue).")
    }

    private func useTellers(_ configuration: ServiceConfiguration) {
        if telling == nil {
            let board = board
            // Awaited by `end`. It does not throw.
            telling = Task { try? await board.run() }
        }
        // The automation reminds at this interval, and a moment less is not to hold that back.
        let interval = configuration.policy.reminderInterval * 9 / 10
        do throws(HeadroomError) {
            board.use(
                try configuration.notifications.tellers(
                    logger: logger, environment: environment), interval: interval)
        } catch {
            board.use([LogTeller(logger: logger)], interval: interval)
            note(.trouble("\(error.message) Notices go to the log only."))
        }
    }

    private static func post(
        _ event: AutomationEvent, mode: ServiceMode = .observe, to board: NoticeBoard,
        _ metrics: ServiceMetrics
    ) {
        for notice in event.notices(mode: mode, at: .now()) where board.post(notice) {
            metrics.record(notice)
        }
    }

    /// Takes what the automation tells, from any thread; does not block.
    public nonisolated func note(_ event: AutomationEvent) {
        let now = Timestamp.now()
        feed.note(event, at: now)
        recording.note(event, at: now)
        Self.post(event, mode: mode.value, to: board, metrics)
        // The log last: who has read it finds the rest.
        log.note(event)
    }

    /// What the automation sees of the world: what is expected by the history, for one.
    public nonisolated func world() -> AutomationWorld {
        var world = AutomationWorld()
        let recording = recording
        world.outlooks = { recording.outlooks(of: $0, at: $1) }
        return world
    }

    /// Takes that the configuration on disk has errors.
    public func noteRefused(_ errors: ConfigurationErrors) {
        metrics.set(configurationIsTaken: false, at: .now())
        let first = errors.problems.first.map { " \($0)" } ?? ""
        note(
            .configuration, "The configuration has errors, and the one before is kept.\(first)")
        let notice = Notice(
            time: .now(), kind: .configuration,
            text: "The configuration has errors, and the one before is kept. See headroom config "
                + "check.\(first)")
        if board.post(notice) { metrics.record(notice) }
    }

    private func note(_ kind: HistoryEvent.Kind, _ text: String) {
        let event = HistoryEvent(time: .now(), kind: kind, text: text)
        metrics.record(event)
        recording.note(event)
    }

    /// Ends all of it.
    public func end() async {
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
