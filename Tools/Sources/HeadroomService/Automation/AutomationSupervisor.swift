//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomConfiguration
public import HeadroomEngine
import HeadroomPlatform
public import Logging
public import ServiceLifecycle
import SystemPackage
import UnixSignals

/// Runs the automation, and starts it anew when its configuration is to be read again (SIGHUP).
///
/// A configuration with an error changes nothing: what ran before runs on, and the log says what is wrong.
public actor AutomationSupervisor: Service {
    /// Reads the configuration; blocks.
    public typealias Loading = @Sendable () throws(ConfigurationErrors) -> LoadedConfiguration

    private let workspace: Workspace
    private let memory: StateFile
    private let load: Loading
    private let world: AutomationWorld
    private let logger: Logger
    private let reporter: ServiceReporter
    private let settings: @Sendable (ServiceConfiguration) -> AutomationSettings
    private var loaded: LoadedConfiguration
    private let api: ServiceAPI?
    private var running: Running?
    private let watches = VolumeWatches()
    /// Of every configuration: what hangs by one is not called again by the next.
    private let modules = ModuleGroup()

    private struct Running {
        var automation: Automation
        var inventories: VolumeInventories
        var task: Task<Void, Never>
    }

    /// - Parameters:
    ///   - workspace: opened for writing, without the areas of the configuration.
    ///   - loaded: what was read at the start.
    ///   - memory: where the automation remembers.
    ///   - reporter: tells what happens.
    ///   - api: told what it is about, and ended at the end.
    ///   - settings: what a configuration means for the automation.
    ///   - load: reads the configuration again.
    public init(
        _ workspace: Workspace, _ loaded: LoadedConfiguration, memory: StateFile,
        logger: Logger, reporter: ServiceReporter, api: ServiceAPI? = nil,
        settings: @escaping @Sendable (ServiceConfiguration) -> AutomationSettings,
        load: @escaping Loading
    ) {
        self.workspace = workspace
        self.loaded = loaded
        self.api = api
        self.memory = memory
        self.load = load
        world = reporter.world()
        self.logger = logger
        self.reporter = reporter
        self.settings = settings
    }

    /// The automation that runs now; nil before the start and after the end.
    public var automation: Automation? { running?.automation }

    public func run() async throws {
        // Before anybody can see that it runs: one that comes while it begins is kept for afterwards.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        await begin(isStart: true)
        await cancelWhenGracefulShutdown {
            for await _ in reloads { await self.reload() }
        }
        // What a person has begun ends as what the policy has.
        await api?.end()
        await end()
        await reporter.end()
    }

    /// Reads the configuration again, and takes it if there is no error in it.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    public func reload() async -> Bool {
        let before = loaded.configuration
        do throws(ConfigurationErrors) {
            loaded = try await read()
        } catch {
            await reporter.noteRefused(error)
            logger.error("the configuration has errors, and the one before is kept")
            for problem in error.problems {
                logger.error("configuration", metadata: ["problem": "\(problem)"])
            }
            return false
        }
        guard !Task.isCancelled else { return false }
        if let running, loaded.configuration.asksTheSame(as: before) {
            // What runs may go on, a purge among it. What could not be followed may be able to be now.
            await tellAPI(running.automation, endsWork: false)
            await reporter.use(loaded.configuration)
            await running.automation.tellAgain()
            await BlockingThread.run(lowersPriority: false) { running.inventories.close() }
        } else {
            // What was allowed may not be any more: a purge ends between two items.
            await end()
            await begin(isStart: false)
        }
        logger.notice(
            "the configuration was read again",
            metadata: [
                "mode": "\(loaded.configuration.mode.rawValue)",
                "areas": "\(loaded.configuration.areas.count)",
            ])
        return true
    }

    private func read() async throws(ConfigurationErrors) -> LoadedConfiguration {
        let load = load
        return try await BlockingThread.run(lowersPriority: false) {
            () throws(ConfigurationErrors) in try load()
        }
    }

    private func begin(isStart: Bool) async {
        let configuration = loaded.configuration
        let settings = settings(configuration)
        let reporter = reporter
        // Of its own: what could not be followed may be, once a limit has been raised.
        let inventories = VolumeInventories { reporter.note($0) }
        let automation = Automation(
            settings,
            work: WorkspaceWork(
                workspace.declaring(settings.areas), volumes: settings.volumes,
                inventories: inventories, watches: watches),
            memory: memory, modules: modules, isStart: isStart, world: world
        ) { [api] event in
            api?.note(event)
            reporter.note(event)
        }
        // Before the addresses answer.
        await tellAPI(automation, endsWork: true)
        await reporter.use(configuration)
        // Cancelled and awaited by `end`.
        running = Running(
            automation: automation, inventories: inventories,
            task: Task { await automation.run() })
        logger.notice("running", metadata: ["mode": "\(settings.mode.rawValue)"])
    }

    /// What it answers by from now on.
    ///
    /// - Parameter endsWork: what a person has begun by the configuration before ends, too.
    private func tellAPI(_ automation: Automation, endsWork: Bool) async {
        let configuration = loaded.configuration
        await api?.use(
            APISituation(
                workspace: workspace.declaring(settings(configuration).areas), loaded: loaded,
                automation: automation,
                history: configuration.history.path
                    ?? workspace.ledger.directory.appending("history.sqlite"),
                banners: { [reporter] in reporter.banners() }),
            endsWork: endsWork)
    }

    /// A purge that is under way ends between two items.
    private func end() async {
        guard let running else { return }
        self.running = nil
        running.task.cancel()
        await running.task.value
        await BlockingThread.run(lowersPriority: false) { running.inventories.close() }
    }
}

extension ServiceConfiguration {
    /// Whether it lets the automation do just what another one does; whom it tells, what it keeps and where it
    /// answers may differ.
    fileprivate func asksTheSame(as other: ServiceConfiguration) -> Bool {
        mode == other.mode && grace == other.grace && areas == other.areas
            && volumes == other.volumes && policy == other.policy && modules == other.modules
    }
}
