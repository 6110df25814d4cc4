//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomPurging
import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

extension Storage {
    /// Makes the checks that are due at every launch, on a thread of low priority.
    ///
    /// Removes what processes that died while saving have left, and what frameworks have left in a
    /// container's `tmp` (`removeLeftovers()`), looks for purges that were cut off, puts lost marks
    /// back as far as they protect, and checks the purgeable directories. If the program runs in
    /// another version than the last time, or the last cleaning is longer ago than the interval, all
    /// that has expired or is over its limit goes from the whole storage, and the modules that are over
    /// their quota are asked to clean.
    ///
    /// The version is recorded at every launch. When its task is cancelled, the cleaning of the whole
    /// storage stops before its next removal, and is due again. Never fails: a check that could not be
    /// made is repeated at the next launch. Returns when all is done; call it in a task of its own if you
    /// don't want to wait:
    ///
    ///     Task { await storage.start() }
    ///
    /// - Parameters:
    ///   - version: the program's own; nil: on Apple platforms that of the main bundle, elsewhere none,
    ///     so that only the interval counts.
    ///   - interval: between two cleanings of the whole storage.
    @discardableResult
    public func start(
        version: String? = nil, interval: Duration = .seconds(86400)
    ) async -> LaunchReport {
        let core = core
        let version = version ?? Self.bundleVersion
        let progress = PurgeProgress()
        var report = await withTaskCancellationHandler {
            await Self.leisurely {
                core.launchCheck(version: version, interval: interval, progress)
            }
        } onCancel: {
            progress.cancel()
        }
        guard report.trigger != .launch, !modules.isEmpty else { return report }
        do {
            report.modules = try await cleanModules(trigger: report.trigger)
        } catch {
            report.notices.append(error.message)
        }
        return report
    }

    /// Does work on a thread that gives way to all others.
    private static func leisurely(
        _ work: @escaping @Sendable () -> LaunchReport
    ) async -> LaunchReport {
        await withCheckedContinuation { continuation in
            let check: @Sendable () -> Void = { continuation.resume(returning: work()) }
            do {
                try WorkerThread {
                    WorkerThread.lowerPriority()
                    check()
                }.detach()
            } catch {
                // No thread to be had: late is better than never.
                check()
            }
        }
    }

    private static var bundleVersion: String? {
        #if canImport(Darwin)
        Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        #else
        nil
        #endif
    }
}

extension StorageCore {
    fileprivate func launchCheck(
        version: String?, interval: Duration, _ progress: PurgeProgress
    ) -> LaunchReport {
        var report = LaunchReport()
        var sweep = OrphanSweep(now: clock())
        for place in [places.documents, places.appData, places.caches] { sweep.run(in: place) }
        var temporary = OrphanSweep(
            prefixes: [NewFile.prefix, SwapName.prefix, TemporaryFile.prefix], now: clock())
        temporary.run(in: places.temporary)
        report.removedOrphans = sweep.count + temporary.count
        report.freedByOrphans = sweep.bytes + temporary.bytes
        report.interrupted = workspace.interrupted
        report.lostMarks = restoreMarks()
        report.directories = keeper("launch").check(ownRegistrations)
        report.notices = workspace.notices
        do {
            report.leftovers = try removeLeftovers(requester: owner.text)
        } catch {
            // The next launch looks again.
            report.notices.append(error.message)
        }
        clean(version: version, interval: interval, progress, &report)
        return report
    }

    /// Removes what has expired or is over its limit from the whole storage, if it is time to (R25).
    private func clean(
        version: String?, interval: Duration, _ progress: PurgeProgress,
        _ report: inout LaunchReport
    ) {
        let now = clock()
        let last = workspace.ledger.launch(of: owner.text, in: launchPlace)
        var cleaned = last?.cleaned ?? Self.never
        if let trigger = Self.trigger(last, version, now, interval) {
            report.trigger = trigger
            // A cleaning that failed or was cut off is due again at the next launch.
            cleaned = clean(for: trigger, progress, &report) ? now : Self.never
        }
        let launch = Launch(
            owner: owner.text, place: launchPlace, version: version ?? last?.version ?? "",
            cleaned: cleaned)
        // mutation: r25a-3
        guard launch != last else { return }
        do throws(HeadroomError) {
            try workspace.ledger.recordLaunch(launch)
        } catch {
            report.notices.append(error.message)
        }
    }

    /// Stands for a cleaning that is due regardless of the interval.
    private static let never = Timestamp(seconds: 0)

    /// - Returns: whether it was done, and to its end.
    private func clean(
        for trigger: CleaningTrigger, _ progress: PurgeProgress, _ report: inout LaunchReport
    ) -> Bool {
        do throws(HeadroomError) {
            let scope = workspace.scope()
            let plan = try scope.plan(
                try scope.scan(),
                targets: workspace.ageRulesHold() ? [.expired, .overLimit] : [.overLimit])
            if !plan.isEmpty {
                report.cleaned = try scope.purge(
                    plan, requester: "\(owner.text): \(trigger.name)", progress: progress,
                    reportsRemoved: false)
            }
            // mutation: r25a-7
            return !progress.isCancelled
        } catch {
            // Another process is at it, or the next launch tries again.
            report.notices.append(error.message)
            return false
        }
    }

    /// An app and its group share the owner and the ledger, and are cleaned each for itself. The app's
    /// own container may be elsewhere after each update, and is the same all the time.
    private var launchPlace: String {
        switch places.layout.kind {
        case .xdg: ""
        default: isOwnContainer ? "container" : places.root.displayText
        }
    }

    private static func trigger(
        _ last: Launch?, _ version: String?, _ now: Timestamp, _ interval: Duration
    ) -> CleaningTrigger? {
        guard let last else { return .interval }
        // mutation: r25a-6
        if let version, !last.version.isEmpty, version != last.version { return .versionChange }
        if last.cleaned == never { return .interval }
        let passed = now.duration(since: last.cleaned)
        // A time that lies ahead was written by a clock that was wrong.
        // mutation: r25a-4
        // mutation: r25a-5
        return passed >= interval || passed < .zero ? .interval : nil
    }
}
