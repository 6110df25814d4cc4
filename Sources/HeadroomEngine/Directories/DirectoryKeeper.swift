//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Checks and empties purgeable directories: each is planned and purged by itself, so that one that is
/// in use, missing or unreadable holds up no other. Blocks.
public struct DirectoryKeeper: Sendable {
    private let workspace: Workspace
    private let known: Workspace.KnownAreas
    private let requester: String
    private let progress: PurgeProgress
    private let now: Timestamp

    /// - Parameter requester: who asks, for the receipts.
    public init(
        _ workspace: Workspace, requester: String, progress: PurgeProgress = PurgeProgress()
    ) {
        self.workspace = workspace
        self.requester = requester
        self.progress = progress
        known = workspace.knownAreas()
        now = workspace.clock()
    }

    /// Removes what has expired, and shrinks what has reached its limit.
    ///
    /// After the wall clock was moved by more than a day, what goes by age stays for a day.
    public func check(_ registered: [Registration]) -> DirectoryChecks {
        let byAge = workspace.ageRulesHold()
        var checks = run(registered, byAge ? [.expired, .overLimit] : [.overLimit])
        checks.ageRulesPaused = !byAge
        return checks
    }

    /// Removes everything that may go. The directories and their registrations stay.
    public func empty(_ registered: [Registration]) -> DirectoryChecks {
        run(registered, [.all])
    }

    /// What they occupy; removes nothing.
    public func measure(_ registered: [Registration]) -> DirectoryChecks {
        run(registered, [])
    }

    private func run(_ registered: [Registration], _ targets: [Target]) -> DirectoryChecks {
        var checks = DirectoryChecks()
        for registration in registered where !progress.isCancelled {
            var check = DirectoryCheck(registration: registration)
            do throws(HeadroomError) {
                try run(&check, targets)
            } catch {
                // What the system has taken away is made again when it is asked for.
                if error.code != .notFound {
                    check.problem = Reason(
                        error.code == .busy ? .busy : .failed, error.message)
                }
            }
            checks.directories.append(check)
        }
        return checks
    }

    private func run(_ check: inout DirectoryCheck, _ targets: [Target]) throws(HeadroomError) {
        let root = check.registration.area.root
        guard known.map.areas.contains(where: { $0.root == root && $0.purgeClass != .essential })
        else {
            // Says why, if it is there.
            _ = try AreaValidation(layouts: workspace.layouts, marks: workspace.marks)
                .validate(check.registration.area, declaredBy: .registration)
            throw HeadroomError(.notFound, "\(root.displayText) is missing.")
        }
        let scope = workspace.makeScope(known.map.areas, [root], known.inherited, [])
        guard !scope.roots.isEmpty else {
            throw HeadroomError(
                .refused, scope.notes.first?.text ?? "\(root.displayText) is left alone.")
        }
        let inventory = try scope.scan()
        let area = inventory.areas.firstIndex { $0.root == root }
        check.usage = area.map { ByteCount(AreaUsage(inventory).allocated[$0]) }
        check.items = inventory.itemCount
        guard !targets.isEmpty else { return }
        rememberNew(in: inventory, scope, check.registration)
        let plan = try scope.plan(inventory, targets: targets)
        guard !plan.isEmpty else { return }
        check.receipt = try scope.purge(
            plan, requester: requester, progress: progress, reportsRemoved: false)
    }

    /// Where the file system keeps no birth time, what is new is recorded as seen now.
    private func rememberNew(in inventory: Inventory, _ scope: Scope, _ registration: Registration)
    {
        let area = registration.area
        guard area.ageBasis == .created || area.order == .oldestCreated else { return }
        var unknown: [UInt64] = []
        inventory.forEachShownItem { id, item, _, _ in
            if item.created == 0 { unknown.append(inventory.identity(ofItem: id).inode) }
        }
        guard !unknown.isEmpty,
            let id = (try? Volume.containing(area.root))?.figures?.fileSystemID
        else { return }
        let volume = workspace.ledger.volume(id)
        let new = unknown.map { FileKey(fileSystemID: id, inode: $0, birth: 0) }
            .filter { volume.firstSeen(for: $0) == nil }
        // Unrecorded they are as young at the next check, and stay longer.
        try? workspace.ledger.recordFirstSeen(new.map { ($0, now) })
    }
}
