//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
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
    private struct State {
        var accounts: [Int: Account] = [:]
        /// The directory of the last item, and whose what lies in it is: items come directory by directory,
        /// and going up from each costs more than its removal.
        var directory: [UInt8] = []
        var owner: Int?
    }
    private let state = Mutex(State())
    /// What tasks name, with the number of the task.
    private let owners: [[UInt8]: Int]
    private let emptied: Set<[UInt8]>

    /// As many are named; more are counted.
    private static let listed = 20

    /// - Parameter emptied: directories that go because nothing is left in them, which count as no items.
    init(_ places: [CleanUpPlace], emptied: Set<[UInt8]>) {
        self.emptied = emptied
        var owners: [[UInt8]: Int] = [:]
        for place in places {
            for path in (place.chosen + place.leftovers).map(\.bytes) where owners[path] == nil {
                owners[path] = place.task.number
            }
        }
        self.owners = owners
    }

    func note(_ event: PurgeEvent) {
        switch event {
        case .removed(let path, let bytes):
            change(path) { account in
                account.removed += emptied.contains(path.bytes) ? 0 : 1
                account.freed += bytes
            }
        case .skipped(let path, let reason):
            change(path) { account in
                account.skippedCount += 1
                if account.skipped.count < Self.listed { account.skipped[path] = reason }
            }
        }
    }

    private func change(_ path: FilePath, _ body: (inout Account) -> Void) {
        let bytes = path.bytes
        let parent = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        state.withLock { state in
            if !state.directory.elementsEqual(parent) {
                state.directory = Array(parent)
                state.owner = owner(around: state.directory)
            }
            guard let owner = owners[bytes] ?? state.owner else { return }
            body(&state.accounts[owner, default: Account()])
        }
    }

    /// Whose a directory is, by itself or by the nearest around it.
    private func owner(around directory: [UInt8]) -> Int? {
        var current = directory
        while !current.isEmpty {
            if let owner = owners[current] { return owner }
            current = Array(current[..<(current.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        }
        return nil
    }

    /// Writes down what became of a task: what is still there of what it names, and why.
    func settle(
        _ place: CleanUpPlace, _ result: inout CleanUpTaskResult, _ calls: any FileSystemCalls,
        _ wasCancelled: Bool, _ explain: (FilePath) -> String
    ) {
        let account = state.withLock { $0.accounts[place.task.number] } ?? Account()
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
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
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
