//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Takes away all that Headroom has put on a file or directory and on what is in it: marks with
    /// what backup programs read, its own tags, registrations, and what the ledger remembers of them.
    ///
    /// Tags and attributes of others stay, and so do the files themselves. What was pinned is not any
    /// more. Other volumes below are not entered. Blocks; on disk when it returns.
    ///
    /// - Parameter path: absolute. What is no longer there is forgotten too.
    /// - Throws: `notPermitted` and others if the directory cannot be looked at; what fails below is in
    ///   the result.
    /// - Complexity: O(entries): an attribute of every file is read.
    public func forget(
        _ path: FilePath, progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> Forgotten {
        var forgetting = Forgetting(self, ownOnly: false)
        try forgetting.forget(path, progress)
        return forgetting.result
    }

    /// The same for everything of the user: in the layouts, where something was ever marked, and all
    /// registrations. Also root's is only what belongs to root.
    ///
    /// - Throws: as ``forget(_:progress:)``.
    public func forgetAll(progress: ScanProgress = ScanProgress()) throws(HeadroomError)
        -> Forgotten
    {
        var forgetting = Forgetting(self, ownOnly: true)
        var roots = layouts.flatMap { [$0.root] + $0.areas.map(\.root) }
        roots += ledger.registrations.map(\.root)
        for root in roots where (try? ResolvedDirectory(root)) != nil {
            try forgetting.forget(root, progress)
        }
        // What is recorded elsewhere, there or not.
        for recorded in ledger.markedFiles { try forgetting.forget(recorded.path, progress) }
        for area in ledger.registrations { try forgetting.unregister(area) }
        return forgetting.result
    }
}

/// One run of forgetting.
private struct Forgetting {
    let workspace: Workspace
    let ownOnly: Bool
    var result = Forgotten()
    /// Roots may lie in one another.
    private var walked: Set<FilePath> = []

    init(_ workspace: Workspace, ownOnly: Bool) {
        self.workspace = workspace
        self.ownOnly = ownOnly
    }

    mutating func forget(_ path: FilePath, _ progress: ScanProgress) throws(HeadroomError) {
        if !walked.contains(where: { path.lies(in: $0) }) { try look(path, progress) }
        for recorded in workspace.ledger.markedFiles where recorded.path.lies(in: path) {
            try forget(recorded)
        }
        for area in workspace.ledger.registrations where area.root.lies(in: path) {
            try unregister(area)
        }
    }

    mutating func unregister(_ area: Area) throws(HeadroomError) {
        guard !result.registrations.contains(where: { $0.root == area.root }) else { return }
        try workspace.ledger.unregister(root: area.root)
        result.registrations.append(area)
    }

    private mutating func look(
        _ path: FilePath, _ progress: ScanProgress
    ) throws(HeadroomError) {
        guard let root = try? ResolvedDirectory(path, followingLast: false).path else {
            return take(path)
        }
        walked.insert(path)
        let (found, failures) = try ForgetWalk(NativeCalls.make(), ownOnly: ownOnly).run(
            root, progress)
        result.failures += failures
        for path in found.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            take(path)
        }
    }

    /// Takes off what is on one file or directory.
    private mutating func take(_ path: FilePath) {
        do throws(HeadroomError) {
            let taken = try workspace.marks.forget(path)
            if !taken.mark.isEmpty || taken.wasDamaged {
                result.marks.append(
                    Forgotten.ForgottenMark(
                        path: path, mark: taken.mark, wasDamaged: taken.wasDamaged))
            }
            if taken.hadTag { result.tags.append(path.appending("CACHEDIR.TAG")) }
        } catch {
            guard error.code != .notFound, error.code != .invalid else { return }
            result.failures.append(error.message)
        }
    }

    /// What the ledger alone remembers: of a file that is not there any more, that another one has
    /// replaced, or that can carry no attribute.
    private mutating func forget(_ recorded: MarkedFile) throws(HeadroomError) {
        take(recorded.path)
        guard workspace.ledger.mark(for: recorded.key) != nil else { return }
        try workspace.ledger.setMark(
            .none, for: recorded.key, path: recorded.path, isDirectory: recorded.isDirectory)
        guard !result.marks.contains(where: { $0.path == recorded.path }) else { return }
        result.marks.append(
            Forgotten.ForgottenMark(path: recorded.path, mark: recorded.mark, wasDamaged: false))
    }
}
