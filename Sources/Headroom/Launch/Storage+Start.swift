//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension Storage {
    /// Makes the checks that are due at every launch, on a thread of low priority.
    ///
    /// Removes what processes that died while saving have left, and what frameworks have left in a
    /// container's `tmp` (``removeLeftovers()``), looks for purges that were cut off,
    /// and puts lost marks back as far as they protect. Never fails: what could not be checked is checked at the next launch. Returns when all is
    /// done; who does not want to wait calls it in a task of its own:
    ///
    ///     Task { await storage.start() }
    @discardableResult
    public func start() async -> LaunchReport {
        let core = core
        return await withCheckedContinuation { continuation in
            let check: @Sendable () -> Void = { continuation.resume(returning: core.launchCheck()) }
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
}

extension StorageCore {
    fileprivate func launchCheck() -> LaunchReport {
        var report = LaunchReport()
        var sweep = OrphanSweep(now: clock())
        for place in [places.documents, places.appData, places.caches] { sweep.run(in: place) }
        var temporary = OrphanSweep(
            prefixes: [NewFile.prefix, TemporaryFile.prefix], now: clock())
        temporary.run(in: places.temporary)
        report.removedOrphans = sweep.count + temporary.count
        report.freed = sweep.bytes + temporary.bytes
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
        return report
    }
}
