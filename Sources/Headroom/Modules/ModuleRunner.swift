//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// Measures modules, and calls them one after another until as much is freed as is wanted.
struct ModuleRunner: Sendable {
    let registry: ModuleRegistry
    let level: PressureLevel
    let trigger: CleaningTrigger
    let allowedClass: PurgeableClass
    let timeLimit: Duration
    /// The ids of those that are asked; nil: all.
    var only: Set<String>?
    /// Told what it is at, from any thread.
    var tell: @Sendable (ModuleStep) -> Void = { _ in }

    /// - Parameter bytesWanted: nil: each module over its quota is asked for what it is over.
    func run(freeing bytesWanted: ByteCount?) async -> ModuleRun {
        let missing = bytesWanted ?? .zero
        return await run(freeing: bytesWanted) { report, freed in
            max(missing - freed, report.overQuota)
        }
    }

    /// Asks each for what a person was shown of it and has confirmed, by its id, and for no more.
    func run(freeing shown: [String: ByteCount]) async -> ModuleRun {
        let sum = shown.values.reduce(ByteCount.zero) { $0 + $1 }
        return await run(freeing: sum) { report, _ in shown[report.id] ?? .zero }
    }

    /// - Parameter wanted: of a module, when the ones before it have freed so much.
    private func run(
        freeing bytesWanted: ByteCount?, _ wanted: (ModuleReport, ByteCount) -> ByteCount
    ) async -> ModuleRun {
        var run = ModuleRun(trigger: trigger, bytesWanted: bytesWanted)
        let measured = await measure()
        var uncalled: [ModuleReport] = []
        func leave(_ report: ModuleReport) {
            uncalled.append(report)
            tell(.ended(report))
        }
        for (module, report) in Self.ordered(measured) {
            guard report.outcome == .notNeeded, let before = report.before else {
                leave(report)
                continue
            }
            // mutation: r26a-1
            let asked = min(before, wanted(report, run.freed))
            guard asked > .zero else {
                leave(report)
                continue
            }
            guard !Task.isCancelled else {
                leave(report.with(.cancelled))
                continue
            }
            tell(.cleaning(report.displayName))
            let cleaned = await clean(module, report, wanted: asked)
            run.modules.append(cleaned)
            tell(.ended(cleaned))
        }
        run.modules += uncalled
        return run
    }

    /// What each of them occupies.
    func measure() async -> [(any StorageModule, ModuleReport)] {
        var measured: [(any StorageModule, ModuleReport)] = []
        for module in registry.modules where only?.contains(module.id) ?? true {
            let start = ContinuousClock.now
            var report = ModuleReport(
                id: module.id, displayName: module.displayName, quota: module.quota, before: nil,
                after: nil, duration: .zero, outcome: .cancelled)
            if !Task.isCancelled {
                tell(.measuring(report.displayName))
                switch await call(module, { try await module.usage() }) {
                case .success(let usage):
                    report.before = usage
                    report.outcome = .notNeeded
                case .failure(let failure): report.outcome = failure.outcome
                }
            }
            report.duration = start.duration(to: .now)
            measured.append((module, report))
        }
        return measured
    }

    /// The most over its quota first; those without quota last, the largest of them first.
    private static func ordered(
        _ measured: [(any StorageModule, ModuleReport)]
    ) -> [(any StorageModule, ModuleReport)] {
        func ratio(_ report: ModuleReport) -> Double? {
            guard let quota = report.quota, let usage = report.before else { return nil }
            return quota > .zero ? Double(usage.bytes) / Double(quota.bytes) : .infinity
        }
        return measured.sorted { left, right in
            switch (ratio(left.1), ratio(right.1)) {
            case (let left?, let right?) where left != right: return left > right
            case (.some, nil): return true
            case (nil, .some): return false
            default:
                let sizes = (left.1.before ?? .zero, right.1.before ?? .zero)
                return sizes.0 == sizes.1 ? left.1.id < right.1.id : sizes.0 > sizes.1
            }
        }
    }

    private func clean(
        _ module: any StorageModule, _ report: ModuleReport, wanted: ByteCount
    ) async -> ModuleReport {
        var report = report
        let start = ContinuousClock.now
        let request = CleaningRequest(
            level: level, trigger: trigger, bytesWanted: wanted, allowedClass: allowedClass,
            // mutation: r26c-2
            deadline: start.advanced(by: module.timeLimit ?? timeLimit))
        switch await call(module, { try await module.clean(request) }) {
        case .success: report.outcome = .cleaned
        case .failure(let failure): report.outcome = failure.outcome
        }
        // One that failed may have freed something; one that is still at it cannot be asked.
        if case .success(let usage) = await call(module, { try await module.usage() }) {
            report.after = usage
        }
        report.duration += start.duration(to: .now)
        return report
    }

    private struct Failure: Error {
        let outcome: ModuleReport.Outcome
    }

    private func call<Success: Sendable>(
        _ module: any StorageModule, _ body: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, Failure> {
        let id = module.id
        guard registry.work.begin(id) else { return .failure(Failure(outcome: .stillRunning)) }
        let call = ModuleCall<Success>(
            // mutation: r26c-1
            timeLimit: module.timeLimit ?? timeLimit, lowersPriority: trigger.isLeisurely
        ) { [registry] in registry.work.end(id) }
        switch await call.run(body) {
        case .returned(let value): return .success(value)
        case .threw(let error): return .failure(Failure(outcome: .failed("\(error)")))
        case .timedOut: return .failure(Failure(outcome: .timedOut))
        case .cancelled: return .failure(Failure(outcome: .cancelled))
        }
    }
}

extension ModuleReport {
    fileprivate func with(_ outcome: Outcome) -> ModuleReport {
        var report = self
        report.outcome = outcome
        return report
    }
}
