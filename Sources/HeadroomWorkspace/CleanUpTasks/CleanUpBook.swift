//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import HeadroomPurging
import Synchronization
import SystemPackage

/// Keeps what became of each task, while a purge runs and after.
final class CleanUpBook: Sendable {
    private struct Account {
        var removed = 0
        var freed = ByteCount.zero
        var skipped: [FilePath: Reason] = [:]
        var skippedCount = 0
    }
    /// By the number of the task.
    private let accounts = Mutex<[Int: Account]>([:])
    /// What tasks name, with the number of the task.
    private let owners: PathOwners
    private let inventory: Inventory
    /// By the number of a directory: whose it is.
    private let steps: [PathOwners.Step]

    /// As many are named; more are counted.
    private static let listed = 20

    init(_ places: [CleanUpPlace], _ inventory: Inventory) {
        var owners = PathOwners()
        for place in places {
            for path in place.chosen + place.leftovers {
                owners.add(path.bytes, of: place.task.number)
            }
        }
        var steps: [PathOwners.Step] = []
        steps.reserveCapacity(inventory.directories.count)
        // Parents have smaller numbers than their children.
        for (number, record) in inventory.directories.enumerated() {
            steps.append(
                record.parent == DirectoryRecord.none
                    ? owners.step(to: inventory.path(ofDirectory: UInt32(number)).bytes)
                    : owners.step(to: record.name.bytes[...], in: steps[Int(record.parent)]))
        }
        self.owners = owners
        self.inventory = inventory
        self.steps = steps
    }

    /// Something has gone. No path is made for that: it would cost a fifth of the removal, and more where
    /// it lies deep.
    func note(_ candidate: Candidate, _ bytes: ByteCount) {
        let owner =
            candidate.isItem
            ? owners.step(
                to: inventory.name(ofItem: candidate.number).owned.bytes[...],
                in: steps[Int(inventory.item(candidate.number).parent)]
            ).owner : steps[Int(candidate.number)].owner
        guard let owner else { return }
        accounts.withLock { accounts in
            // A directory that goes because nothing is left in it is no item.
            accounts[owner, default: Account()].removed += candidate.kind == .emptyDirectory ? 0 : 1
            accounts[owner, default: Account()].freed += bytes
        }
    }

    func note(_ event: PurgeEvent) {
        guard case .skipped(let path, let reason) = event,
            let owner = owners.step(to: path.bytes).owner
        else { return }
        accounts.withLock { accounts in
            var account = accounts[owner] ?? Account()
            account.skippedCount += 1
            if account.skipped.count < Self.listed { account.skipped[path] = reason }
            accounts[owner] = account
        }
    }

    /// Writes down what became of a task: what is still there of what it names, and why.
    func settle(
        _ place: CleanUpPlace, _ result: inout CleanUpTaskResult, _ calls: any FileSystemCalls,
        _ wasCancelled: Bool, _ explain: (FilePath) -> String
    ) {
        let account = accounts.withLock { $0[place.task.number] } ?? Account()
        result.removed += account.removed
        result.freed += account.freed
        // Half emptied and put aside when it was stopped: not there any more by its name.
        let begun = account.skipped.filter { $0.value.code == .interruptedPurge }.map(\.key)
        let left = begun + remaining(of: place, calls).filter { !isAside($0, begun) }
        guard !left.isEmpty else {
            result.outcome = .done
            return
        }
        if wasCancelled, account.removed == 0, begun.isEmpty {
            result.outcome = .notReached
            return
        }
        result.outcome = .partly
        let key = place.task.hasEntries ? "Entries" : "Path"
        for path in left.prefix(Self.listed) {
            let skipped = account.skipped.filter { $0.key.lies(in: path) }
            if wasCancelled, skipped.isEmpty {
                add(place.task, key, .interrupted, path, "The clean-up was stopped.", &result)
            } else if skipped.isEmpty {
                add(place.task, key, .notNeeded, path, explain(path), &result)
            } else {
                for (skippedPath, reason) in skipped.sorted(by: { $0.key.string < $1.key.string }) {
                    add(place.task, key, reason.code, skippedPath, reason.text, &result)
                }
            }
        }
        if left.count > Self.listed {
            result.problems.append(
                CleanUpTaskProblem(
                    place.task, key: key, .notNeeded,
                    "\(left.count - Self.listed) more stayed as well."))
        }
    }

    /// Whether a path is what is left of something that was begun beside it.
    private func isAside(_ path: FilePath, _ begun: [FilePath]) -> Bool {
        guard path.names.last?.withEntryName({ ReservedName.matches($0) }) == true else {
            return false
        }
        let parent = path.removingLastComponent()
        return begun.contains { $0.removingLastComponent() == parent }
    }

    private func add(
        _ task: CleanUpTask, _ key: String, _ code: Reason.Code, _ path: FilePath, _ why: String,
        _ result: inout CleanUpTaskResult
    ) {
        result.problems.append(
            CleanUpTaskProblem(task, key: key, code, "\(path.displayText) stays: \(why)"))
    }

    /// What is there still: of what goes, or in what is emptied.
    private func remaining(of place: CleanUpPlace, _ calls: any FileSystemCalls) -> [FilePath] {
        let emptied = Set(place.emptied)
        return place.chosen.flatMap { path -> [FilePath] in
            guard emptied.contains(path) else { return exists(path, calls) ? [path] : [] }
            guard let directory = try? Descriptor.openDirectory(path),
                let names = try? calls.names(in: directory.rawValue)
            else { return [] }
            return names.filter { $0 != CacheDirectoryTag.name }
                .sorted()
                .map { path.appending($0) }
        }
    }

    private func exists(_ path: FilePath, _ calls: any FileSystemCalls) -> Bool {
        guard let parent = try? Descriptor.openDirectory(path.removingLastComponent()),
            let name = path.names.last
        else { return false }
        return name.withEntryName { (try? calls.status(of: $0, at: parent.rawValue)) != nil }
    }
}

extension CleanUpTask {
    fileprivate var hasEntries: Bool {
        if case .remove(_, _?) = work { return true }
        return false
    }
}
