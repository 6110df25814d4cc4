//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
public import HeadroomEngine
import HeadroomPlatform
public import Logging
public import ServiceLifecycle
import UnixSignals

/// Runs the automation, and starts it anew when its configuration is to be read again (SIGHUP).
///
/// A configuration with an error changes nothing: what ran before runs on, and the log says what is wrong.
public actor AutomationSupervisor: Service {
    /// Reads the configuration; blocks.
    public typealias Loading = @Sendable () throws(ConfigurationErrors) -> AutomationSettings

    private let workspace: Workspace
    private let memory: StateFile
    private let load: Loading
    private let world: AutomationWorld
    private let logger: Logger
    private let tell: @Sendable (AutomationEvent) -> Void
    private var settings: AutomationSettings
    private var running: (automation: Automation, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - workspace: opened for writing, without the areas of the configuration.
    ///   - settings: what was read at the start.
    ///   - memory: where the automation remembers.
    ///   - load: reads the configuration again.
    ///   - tell: told what happens, besides the log.
    public init(
        _ workspace: Workspace, _ settings: AutomationSettings, memory: StateFile, logger: Logger,
        world: AutomationWorld = AutomationWorld(), load: @escaping Loading,
        tell: @escaping @Sendable (AutomationEvent) -> Void = { _ in }
    ) {
        self.workspace = workspace
        self.settings = settings
        self.memory = memory
        self.load = load
        self.world = world
        self.logger = logger
        self.tell = tell
    }

    /// The automation that runs now; nil before the start and after the end.
    public var automation: Automation? { running?.automation }

    public func run() async throws {
        begin(isStart: true)
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { await self.reload() }
        }
        await end()
    }

    /// Reads the configuration again, and takes it if there is no error in it.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    public func reload() async -> Bool {
        do throws(ConfigurationErrors) {
            settings = try await read()
        } catch {
            logger.error("the configuration has errors, and the one before is kept")
            for problem in error.problems {
                logger.error("configuration", metadata: ["problem": "\(problem)"])
            }
            return false
        }
        guard !Task.isCancelled else { return false }
        await end()
        begin(isStart: false)
        logger.notice(
            "the configuration was read again",
            metadata: ["mode": "\(settings.mode.rawValue)", "areas": "\(settings.areas.count)"])
        return true
    }

    private func read() async throws(ConfigurationErrors) -> AutomationSettings {
        let load = load
        return try await BlockingThread.run(lowersPriority: false) {
            () throws(ConfigurationErrors) in try load()
        }
    }

    private func begin(isStart: Bool) {
        let log = AutomationLog(logger)
        let tell = tell
        let automation = Automation(
            settings,
            work: WorkspaceWork(
                workspace.declaring(settings.areas), places: settings.volumes.map(\.path)),
            memory: memory,
            isStart: isStart, world: world
        ) { event in
            log.note(event)
            tell(event)
        }
        // Cancelled and awaited by `end`.
        running = (automation, Task { await automation.run() })
        logger.notice("running", metadata: ["mode": "\(settings.mode.rawValue)"])
    }

    /// A purge that is under way ends between two items.
    private func end() async {
        guard let running else { return }
        self.running = nil
        running.task.cancel()
        await running.task.value
    }
}
