//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Logging
import SystemPackage
import Testing

/// Warnings about the configuration end when it is fixed and read again.
struct ConfigurationWarningTests {
    private let directory: TemporaryDirectory
    private let reporter: ServiceReporter

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        for name in ["home/Documents", "home/.cache/data", "state"] as [TreePath] {
            try directory.tree.directory(name)
        }
        let state = directory.path.appending("state")
        reporter = ServiceReporter(
            version: "1.2.3", directory: state,
            workspace: Workspace.open(
                environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
                ledgerDirectory: state, clock: Timestamp.now),
            environment: [:], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func configuration(_ areas: String..., left: [Area] = []) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.notifications.desktop = false
        configuration.areas = areas.map {
            Area(
                root: directory.path.appending($0), purgeClass: .cache,
                origin: "declared in test.yaml, line 1")
        }
        configuration.leftOut = left
        return configuration
    }

    @Test("A warning about an area ends when the configuration no longer declares it", .tags(.r29d))
    func areaWarningEnds() async {
        await reporter.use(configuration("home/Documents"))
        #expect(reporter.banners().contains { $0.contains("Documents") })
        await reporter.use(configuration("home/.cache/data"))
        #expect(reporter.banners() == [])
        // If it comes back, there is a new warning at once.
        await reporter.use(configuration("home/Documents"))
        #expect(reporter.banners().contains { $0.contains("Documents") })
        await reporter.end()
    }

    @Test("A warning about errors ends when the configuration is read without them")
    func errorsEnd() async {
        await reporter.use(configuration("home/.cache/data"))
        for _ in 0..<2 {
            await reporter.noteRefused(
                ConfigurationErrors([
                    ConfigurationProblem(
                        .error, file: "/test.yaml", what: "it is wrong", advice: "Fix it.")
                ]))
            #expect(reporter.banners().count == 1)
            await reporter.use(configuration("home/.cache/data"))
            #expect(reporter.banners() == [])
        }
        await reporter.end()
    }

    @Test("A warning about the history ends when its file can be used", .tags(.r29d))
    func historyWarningEnds() async throws {
        var broken = configuration("home/.cache/data")
        broken.history.path = directory.path.appending("no/such/history.sqlite")
        try directory.tree.file("no", text: "not a directory")
        await reporter.use(broken)
        #expect(reporter.banners().contains { $0.contains("history") }, "\(reporter.banners())")
        await reporter.use(configuration("home/.cache/data"))
        #expect(reporter.banners() == [])
        await reporter.end()
    }

    @Test("A warning about a failed purge ends with the next purge", .tags(.r24e))
    func failedPurgeEnds() {
        let step = PolicyStep(.level(.critical), spending: .due)
        var result = PolicyResult(
            trigger: .levelChange, step: step, volume: "/data", outcome: .failed("It failed."))
        reporter.note(.ended(result))
        #expect(reporter.banners() == ["It failed."])
        result.outcome = .nothing
        reporter.note(.ended(result))
        #expect(reporter.banners() == [])
    }
}
