//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomServiceModel
import Synchronization

/// What `serve` and `sweep` do.
struct ServeJob {
    let options: ConfigurationOptions
    /// Whatever files there are, the built-in configuration holds.
    var takesDefaults = false
    /// Where it answers beside what the configuration says.
    var listen: [ListenAddress] = []
    /// The token is printed where no terminal is, too.
    var showsToken = false

    /// Runs until a signal ends it.
    func run() throws {
        Interruption.holdHangUps()
        let workspace = try Session.open(forWriting: true)
        let lock = try ServiceRun.lock(workspace, holder: Self.holder("headroom serve"))
        let load = try loading(workspace)
        let loaded = try Self.take(load)
        let log = ServiceLog()
        defer { log.finish() }
        let logger = log.makeLogger(label: "headroom")
        let dashboard = try ServedDashboard(
            workspace, version: Program.version, showsToken: showsToken, logger: logger)
        let reporter = ServiceReporter(
            version: Program.version, directory: workspace.ledger.directory,
            workspace: workspace, environment: Session.wholeEnvironment, pages: dashboard.pages,
            logger: logger)
        let supervisor = AutomationSupervisor(
            workspace.showingLooks { reporter.note($0) }, loaded,
            memory: AutomationMemory.file(of: workspace), logger: logger, reporter: reporter,
            api: dashboard.api,
            settings: Self.settings(requester: "headroom serve"), load: load)
        try Waiting.run { try await ServiceRun(supervisor, logger: logger).run() }
        withExtendedLifetime(lock) {}
    }

    /// One pass.
    func sweep() throws -> SweepReport {
        let workspace = try Session.open(forWriting: true)
        let lock = try ServiceRun.lock(workspace, holder: Self.holder("headroom sweep"))
        let settings = Self.settings(requester: Session.requester)(
            try Self.take(try loading(workspace)).configuration)
        let notes = Mutex<[AutomationEvent]>([])
        let automation = Automation(
            settings,
            work: WorkspaceWork(
                workspace.declaring(settings.areas), volumes: settings.volumes),
            memory: AutomationMemory.file(of: workspace), isStart: false
        ) { event in
            notes.withLock { $0.append(event) }
        }
        let results = try Waiting.run {
            let task = Task { await automation.sweep() }
            // Ends with the sweep.
            let watch = Task {
                while !Interruption.isRequested, !Task.isCancelled {
                    // Cancelled: the loop ends.
                    try? await Task.sleep(for: .milliseconds(100))
                }
                task.cancel()
            }
            defer { watch.cancel() }
            return await task.value
        }
        withExtendedLifetime(lock) {}
        return SweepReport(
            mode: settings.mode, results: results, events: notes.withLock { $0 },
            wasInterrupted: Interruption.isRequested)
    }

    private static func settings(
        requester: String
    ) -> @Sendable (ServiceConfiguration) -> AutomationSettings {
        let environment = Session.wholeEnvironment
        return { configuration in
            AutomationSettings(
                configuration, version: Program.version, requester: requester,
                environment: environment)
        }
    }

    private func loading(
        _ workspace: Workspace
    ) throws(HeadroomError) -> AutomationSupervisor.Loading {
        let loader = ConfigurationLoader(places: try options.places(), workspace: workspace)
        // Whoever enabled the socket unit wants an answer there.
        let inherited: [ListenAddress] =
            InheritedSocket.areHandedOver(Session.wholeEnvironment) ? [.systemd] : []
        let (takesDefaults, listen) = (takesDefaults, listen + inherited)
        return { () throws(ConfigurationErrors) in
            var loaded =
                takesDefaults
                ? LoadedConfiguration(
                    configuration: ServiceConfiguration(), files: [], notes: [], locations: [:])
                : try loader.load()
            for address in listen where !loaded.configuration.listen.contains(address) {
                loaded.configuration.listen.append(address)
            }
            return loaded
        }
    }

    private static func take(
        _ load: AutomationSupervisor.Loading
    ) throws -> LoadedConfiguration {
        do throws(ConfigurationErrors) {
            return try load()
        } catch {
            for problem in error.problems { Diagnostics.say(problem.description) }
            throw ExitStatus.failed.code
        }
    }

    private static func holder(_ name: String) -> String {
        "\(name), process \(processNumber)"
    }
}
