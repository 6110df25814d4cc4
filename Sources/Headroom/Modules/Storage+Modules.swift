//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

extension Storage {
    /// Adds a part of the app that measures and cleans its own data. One with the same id is replaced.
    ///
    /// For this process only: register at every launch, before ``start(version:interval:)``. All
    /// copies of this storage share their modules.
    public func register(_ module: some StorageModule) {
        core.modules.register(module)
    }

    /// Takes a module out again. A call that is under way goes on.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unregister(moduleWithID id: String) -> Bool {
        core.modules.unregister(id: id)
    }

    /// The registered modules, in the order of their registration.
    public var modules: [any StorageModule] { core.modules.modules }

    /// What each module occupies now, measured one after another.
    ///
    /// - Parameter timeLimit: for each; one that takes longer is reported so and no longer waited for.
    public func moduleUsage(timeLimit: Duration = .seconds(30)) async -> [ModuleReport] {
        let runner = ModuleRunner(
            registry: core.modules, level: .normal, trigger: .byHand, allowedClass: .temporary,
            timeLimit: timeLimit)
        return await core.modules.turns.take { await runner.measure() }.map(\.1)
    }

    /// Lets the modules clean: one after another, the most over its quota first, those without quota
    /// last.
    ///
    /// Each is asked for what is still missing, and at least for what it is over its quota; one of
    /// which nothing is wanted is not called. A module that throws or hangs never stops the others; it
    /// is not called again before it has returned. Cancelling the task cancels the module that is at
    /// work, and calls no more.
    ///
    /// - Parameters:
    ///   - bytes: what they are to free together; nil: quotas only.
    ///   - level: the pressure of the volume, for the modules to judge by.
    ///   - last: the last class that they may spend.
    ///   - timeLimit: for each call of a module.
    /// - Throws: ``StorageError`` `busy` if a run of modules is under way.
    public func cleanModules(
        freeing bytes: ByteCount? = nil, level: PressureLevel = .normal,
        trigger: CleaningTrigger = .byHand, through last: PurgeableClass = .cache,
        // mutation: r26e-1
        timeLimit: Duration = .seconds(30)
    ) async throws(StorageError) -> ModuleRun {
        guard core.modules.work.beginRun() else {
            throw StorageError(
                .busy,
                "The modules of \(owner) are being cleaned already. Wait for that to end.")
        }
        defer { core.modules.work.endRun() }
        let runner = ModuleRunner(
            registry: core.modules, level: level, trigger: trigger, allowedClass: last,
            timeLimit: timeLimit)
        return await core.modules.turns.take { await runner.run(freeing: bytes) }
    }
}
