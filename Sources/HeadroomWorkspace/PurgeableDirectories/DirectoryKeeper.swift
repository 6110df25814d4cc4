//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
import SystemPackage

/// Checks and empties purgeable directories: all in one purge, and each by itself if one of them is
/// in use or cannot be read, so that it holds up no other. Blocks.
public struct DirectoryKeeper: Sendable {
    private let workspace: Workspace
    private let known: Workspace.KnownAreas
    private let requester: String
    private let progress: PurgeProgress

    /// - Parameter requester: who asks, for the receipts.
    public init(
        _ workspace: Workspace, requester: String, progress: PurgeProgress = PurgeProgress()
    ) {
        self.workspace = workspace
        self.requester = requester
        self.progress = progress
        known = workspace.knownAreas()
    }

    /// Removes what has expired, and shrinks what has reached its limit.
    ///
    /// After the wall clock was moved by more than a day, or the ledger was lost, what goes by age stays
    /// for a day.
    public func check(_ registered: [Registration]) -> DirectoryChecks {
        // mutation: r19f-1
        let byAge = workspace.ageRulesHold() && !workspace.hasLostLedger
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
        var whole: [Registration] = []
        for registration in registered {
            var check = DirectoryCheck(registration: registration)
            do throws(HeadroomError) {
                if try isUsable(registration) { whole.append(registration) }
            } catch {
                check.problem = Reason(.failed, error.message)
            }
            checks.directories.append(check)
        }
        do throws(HeadroomError) {
            // Together: what is open on the machine is looked up once.
            try run(whole, targets, &checks)
        } catch {
            for registration in whole where !progress.isCancelled {
                runAlone(registration, targets, &checks)
            }
        }
        return checks
    }

    private func runAlone(
        _ registration: Registration, _ targets: [Target], _ checks: inout DirectoryChecks
    ) {
        do throws(HeadroomError) {
            try run([registration], targets, &checks)
        } catch {
            // What the system has taken away is made again when it is asked for.
            guard error.code != .notFound else { return }
            checks.update(registration) {
                $0.problem = Reason(error.code == .busy ? .busy : .failed, error.message)
            }
        }
    }

    /// - Returns: false if it is missing.
    /// - Throws: why it cannot be used.
    private func isUsable(_ registration: Registration) throws(HeadroomError) -> Bool {
        let area = registration.area
        if known.map.areas.contains(where: { $0.root == area.root && $0.purgeClass != .essential })
        {
            return true
        }
        do throws(HeadroomError) {
            _ = try workspace.validation.validate(area, declaredBy: .registration)
        } catch  where error.code == .notFound {
            return false
        }
        throw HeadroomError(
            .refused,
            "\(area.root.displayText) is declared as essential by something else: headroom explain "
                + "\(area.root.shellText)")
    }

    private func run(
        _ registered: [Registration], _ targets: [Target], _ checks: inout DirectoryChecks
    ) throws(HeadroomError) {
        guard !registered.isEmpty else { return }
        let scope = workspace.makeScope(
            known.map.areas, registered.map(\.area.root), known.inherited, [])
        guard scope.roots.count == registered.count else {
            throw HeadroomError(.refused, scope.notes.map(\.text).joined(separator: " "))
        }
        let inventory = try scope.scan()
        let usage = AreaUsage(inventory)
        let items = itemCounts(of: inventory)
        for registration in registered {
            guard
                let area = inventory.areas.firstIndex(where: { $0.root == registration.area.root })
            else { continue }
            checks.update(registration) {
                $0.usage = ByteCount(usage.allocated[area])
                $0.items = items[area]
            }
        }
        guard !targets.isEmpty else { return }
        scope.rememberNew(in: inventory)
        let plan = try scope.plan(inventory, targets: targets)
        guard !plan.isEmpty else { return }
        let receipt = try scope.purge(
            plan, requester: requester, progress: progress, reportsRemoved: false,
            unusableArea: .fails)
        checks.receipts.append(receipt)
        for registration in registered {
            let name = registration.area.root.displayText
            guard let total = receipt.perArea.first(where: { $0.name == name }) else { continue }
            checks.update(registration) {
                $0.freed = total.bytes
                $0.removed = total.count
            }
        }
    }

    private func itemCounts(of inventory: Inventory) -> [Int] {
        var counts = [Int](repeating: 0, count: inventory.areas.count)
        inventory.forEachShownItem { id, item, _, directory in
            // A tag is the directory's, and stays as long as it does.
            guard directory.area != DirectoryRecord.noArea, !inventory.isTag(id, item) else {
                return
            }
            counts[Int(directory.area)] += 1
        }
        return counts
    }
}
