//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
public import Logging
public import SystemPackage

/// Tells the world around the service what it does: by its metrics, and in the history.
public actor ServiceReporter {
    private let metrics: ServiceMetrics
    private let feed: MetricsFeed
    private let server: MetricsServer
    private let recording: HistoryRecording
    private let log: AutomationLog

    /// - Parameters:
    ///   - version: the program's.
    ///   - directory: where the history is unless the configuration names a file: beside the ledger.
    public init(version: String, directory: FilePath, logger: Logger) {
        let metrics = ServiceMetrics(version: version)
        let feed = MetricsFeed(metrics)
        let log = AutomationLog(logger)
        self.metrics = metrics
        self.feed = feed
        self.log = log
        // What is wrong with one of these is told by the others.
        let recording = HistoryRecording(in: directory, feed: feed) { text in
            feed.note(.trouble(text), at: .now())
            log.note(.trouble(text))
        }
        self.recording = recording
        server = MetricsServer(metrics, logger: logger) { text in
            feed.note(.trouble(text), at: .now())
            recording.note(.trouble(text), at: .now())
            log.note(.trouble(text))
        }
    }

    /// Does as a configuration says from now on; before the automation begins with it.
    public func use(_ configuration: ServiceConfiguration) async {
        feed.reset()
        metrics.set(configurationIsTaken: true, at: .now())
        await recording.use(configuration.history)
        await server.use(configuration.listen)
        note(.configuration, "The service runs with the mode \(configuration.mode.rawValue).")
    }

    /// Takes what the automation tells, from any thread; does not block.
    public nonisolated func note(_ event: AutomationEvent) {
        let now = Timestamp.now()
        feed.note(event, at: now)
        recording.note(event, at: now)
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
    }
}
