//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// Modules of a program that has no ``Storage``: a service that cleans for others. Copies share their
/// modules.
public struct ModuleGroup: Sendable {
    private let registry = ModuleRegistry()

    public init() {}

    /// Adds a module. One with the same id is replaced; a call of that which is under way goes on, and
    /// the new one is not called before it has returned.
    public func register(_ module: some StorageModule) { registry.register(module) }

    /// Takes a module out again.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unregister(id: String) -> Bool { registry.unregister(id: id) }

    /// In the order in which they were added.
    public var modules: [any StorageModule] { registry.modules }

    /// What each of them occupies now, measured one after another, after whatever run of them is under way.
    public func usage(timeLimit: Duration = .seconds(30)) async -> [ModuleReport] {
        let runner = ModuleRunner(
            registry: registry, level: .normal, trigger: .byHand, allowedClass: .temporary,
            timeLimit: timeLimit)
        return await registry.turns.take { await runner.measure() }.map(\.1)
    }

    /// Lets the modules clean, as ``Storage/cleanModules(freeing:level:trigger:through:timeLimit:)`` does.
    ///
    /// - Returns: nil if a run of them is under way.
    public func clean(
        freeing bytes: ByteCount? = nil, level: PressureLevel, trigger: CleaningTrigger,
        through last: PurgeableClass = .cache, timeLimit: Duration = .seconds(30)
    ) async -> ModuleRun? {
        guard registry.work.beginRun() else { return nil }
        defer { registry.work.endRun() }
        let runner = ModuleRunner(
            registry: registry, level: level, trigger: trigger, allowedClass: last,
            timeLimit: timeLimit)
        return await registry.turns.take { await runner.run(freeing: bytes) }
    }

    /// Lets the modules clean that a person has chosen, and no others: one after another, each asked for what
    /// that person was shown, or for what it occupies now if that is less.
    ///
    /// One that fails or hangs does not stop the others. Cancelling the task tells the module that is at work,
    /// does not wait for it, and calls no more.
    ///
    /// - Parameters:
    ///   - shown: what each of them occupied when it was chosen, by its id.
    ///   - last: the last class that they may spend.
    ///   - timeLimit: for each call of a module without a time limit of its own.
    ///   - tell: told what the run is at, from any thread.
    /// - Returns: nil if a run of them is under way.
    public func cleanChosen(
        _ shown: [String: ByteCount], through last: PurgeableClass = .lastResort,
        timeLimit: Duration = .seconds(30),
        tell: @escaping @Sendable (ModuleStep) -> Void = { _ in }
    ) async -> ModuleRun? {
        guard registry.work.beginRun() else { return nil }
        defer { registry.work.endRun() }
        let runner = ModuleRunner(
            registry: registry, level: .normal, trigger: .byHand, allowedClass: last,
            timeLimit: timeLimit, only: Set(shown.keys), tell: tell)
        return await registry.turns.take { await runner.run(freeing: shown) }
    }

    /// Returns when those who measure or clean them now have come to their end, or the task is cancelled.
    public func waitUntilIdle() async { await registry.turns.take {} }

    /// Whether a run of them is under way.
    public var isCleaning: Bool { registry.work.isRunning }
}
