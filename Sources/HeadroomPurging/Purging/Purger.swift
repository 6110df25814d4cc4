//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
public import HeadroomPlanning
package import HeadroomPlatform
import SystemPackage

/// Carries out plans.
public enum Purger {
    /// Removes what a plan says, after verifying each item once more, and tells what it did.
    ///
    /// Blocks; run it on a thread of its own. Everything that stays is in the receipt with its
    /// reason; a purge that was cancelled or stopped by its circuit breaker returns a receipt too.
    /// Frees space on a volume without any (safety invariant S14): it creates nothing there, and its
    /// journal has been allocated before. Cache stores alone, where there is room, move together what
    /// is better than the values they give up.
    ///
    /// An area that another purge or a lease holds, or that cannot be used for another reason, is kept, with its
    /// reason in the receipt.
    ///
    /// - Throws: `HeadroomError` before anything is removed: `refused` if the plan and today's areas disagree; if
    ///   no area can be used, `busy` if another purge is at work there, `notFound` if a root is gone.
    /// - Complexity: per item two or three system calls besides the removal itself; one open per
    ///   directory.
    public static func purge(
        _ plan: Plan, options: PurgeOptions, progress: PurgeProgress = PurgeProgress()
    ) throws(HeadroomError) -> Receipt {
        // Before anything is opened: what is open now is the embedding program's.
        let own = OwnDescriptors()
        let used = try PurgeAuthorization(plan.inventory, areas: options.areas).check(plan)
        let refusals = StandingRefusals(
            guarding: [
                options.guardedPlaces ?? .system(), .records(in: options.ledger?.directory),
            ], answers: options.answers)
        // What goes from an essential area goes by its marks, which are read at each item.
        var exceptions = PurgeExceptions()
        for area in used where area.purgeClass != .essential {
            do throws(HeadroomError) {
                try refusals.check(area)
            } catch {
                try exceptions.keep(
                    area, of: plan.inventory, because: error, options.unusableArea)
            }
        }
        if exceptions.areas.count == used.count, let failure = exceptions.failure { throw failure }
        var roots: [PurgeRoot] = []
        defer { for root in roots { root.close() } }
        for number in plan.rootsInUse {
            do throws(HeadroomError) {
                roots.append(try PurgeRoot.open(number, of: plan, options))
            } catch {
                try exceptions.keep(
                    root: number, of: plan.inventory, because: error, options.unusableArea)
            }
        }
        if roots.isEmpty, let failure = exceptions.failure { throw failure }
        options.step?(.areaLocked)
        let receipt = Receipt(
            id: makeID(at: options.clock()), started: options.clock(),
            requester: options.requester,
            target: plan.request.targets.map(\.description).joined(separator: ", "))
        let run = PurgeRun(
            plan: plan, options: options, progress: progress, receipt: receipt, roots: roots,
            session: options.ledger?.beginPurge(receipt),
            monitor: OpenFileMonitor(
                own: own, below: roots.map(\.path), survey: plan.request.kept.processes))
        run.exceptions = exceptions
        return run.perform()
    }

    /// `2026-11-21-7f3a90c2`.
    package static func makeID(at time: Timestamp) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next() as UInt32, radix: 16)
        let padding = String(repeating: "0", count: 8 - digits.count)
        return "\(time.iso8601.prefix(10))-\(padding)\(digits)"
    }
}

/// A scan's root, opened, checked and locked for one purge.
struct PurgeRoot {
    let number: Int
    let path: FilePath
    let directory: UInt32
    let descriptor: Int32
    private let lock: LockBox

    /// Keeps the lock as long as the root.
    private final class LockBox {
        let lock: AreaLock
        init(_ lock: consuming AreaLock) { self.lock = lock }
    }

    /// The root directory itself is locked, for want of a lock file.
    var isHeld: Bool { lock.lock.holdsRootDirectory }

    // mutation: s8d-5
    var notes: [String] { lock.lock.holdsRootDirectory ? [AreaLock.fallbackNote] : [] }

    static func open(
        _ number: Int, of plan: Plan, _ options: PurgeOptions
    ) throws(HeadroomError) -> PurgeRoot {
        let root = plan.inventory.roots[number]
        let record = plan.inventory.directories[Int(root.directory)]
        let descriptor = try openRoot(root.path)
        let status: FileStatus
        do {
            status = try options.calls.status(of: descriptor.rawValue)
        } catch {
            throw HeadroomError("examine", root.path, error)
        }
        // mutation: s2c-1
        // mutation: s3b-1
        guard status.identity == record.identity, status.mountID == record.mountID else {
            throw HeadroomError(
                .refused,
                "\(root.path.displayText) is not the directory that was planned for. Make a new plan."
            )
        }
        let lock = try AreaLock.acquire(
            root: descriptor.rawValue, path: root.path, books: options.lockBooks)
        return PurgeRoot(
            number: number, path: root.path, directory: root.directory,
            descriptor: descriptor.release(), lock: LockBox(lock))
    }

    private static func openRoot(_ path: FilePath) throws(HeadroomError) -> Descriptor {
        do {
            return try Descriptor.openDirectory(path)
        } catch {
            throw HeadroomError("open", path, error)
        }
    }

    private init(
        number: Int, path: FilePath, directory: UInt32, descriptor: Int32, lock: LockBox
    ) {
        self.number = number
        self.path = path
        self.directory = directory
        self.descriptor = descriptor
        self.lock = lock
    }

    func close() { _ = Descriptor(owning: descriptor) }
}

extension Plan {
    /// The numbers of the scan's roots that something goes below.
    var rootsInUse: [Int] {
        var used = Set<Int>()
        for candidate in chosen {
            let directory =
                candidate.isItem ? inventory.item(candidate.number).parent : candidate.number
            if let root = inventory.roots.lastIndex(where: { $0.directory <= directory }) {
                used.insert(root)
                if used.count == inventory.roots.count { break }
            }
        }
        return used.sorted()
    }
}
