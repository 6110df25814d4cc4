//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
public import Logging

/// Tells the world around the service what it does: by its metrics.
public actor ServiceReporter {
    private let metrics: ServiceMetrics
    private let feed: MetricsFeed
    private let server: MetricsServer
    private let log: AutomationLog

    /// - Parameter version: the program's.
    public init(version: String, logger: Logger) {
        let metrics = ServiceMetrics(version: version)
        let feed = MetricsFeed(metrics)
        let log = AutomationLog(logger)
        self.metrics = metrics
        self.feed = feed
        self.log = log
        server = MetricsServer(metrics, logger: logger) { text in
            log.note(.trouble(text))
            feed.note(.trouble(text), at: .now())
        }
    }

    /// Does as a configuration says from now on; before the automation begins with it.
    public func use(_ configuration: ServiceConfiguration) async {
        feed.reset()
        metrics.set(configurationIsTaken: true, at: .now())
        await server.use(configuration.listen)
    }

    /// Takes what the automation tells, from any thread; does not block.
    public nonisolated func note(_ event: AutomationEvent) {
        // The log last: who has read it finds the rest.
        feed.note(event, at: .now())
        log.note(event)
    }

    /// Takes that the configuration on disk has errors.
    public func noteRefused(_ errors: ConfigurationErrors) {
        metrics.set(configurationIsTaken: false, at: .now())
        metrics.record(
            HistoryEvent(
                time: .now(), kind: .configuration,
                text: "The configuration has errors, and the one before is kept."))
    }

    /// Ends all of it.
    public func end() async {
        await server.use([])
    }
}
