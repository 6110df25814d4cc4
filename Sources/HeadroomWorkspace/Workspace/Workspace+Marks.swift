//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Changes the mark of a file or directory part by part, as `MarkStore.update(_:replacingDamaged:excludesByClass:_:)`
    /// does, and refuses a class for a directory that may never be an area (safety invariant S11): a mark
    /// holds for everything below, so that one on a home would put its keys and mail among the caches. For
    /// the same reason such a directory is never left out of backups.
    ///
    /// A file or directory with a class is left out of backups in every format that it can carry, unless
    /// the mark has a backup setting. A directory with a role of its own, as `~/.cache`, never gets a tag.
    ///
    /// - Throws: `refused` for `/`, homes, role roots, directories of the system and directories that
    ///   contain one of these; the errors of the store.
    @discardableResult
    public func mark(
        _ path: FilePath, _ change: (inout Mark) -> Void
    ) throws(HeadroomError) -> MarkStore.Place {
        var probe = Mark.none
        change(&probe)
        if probe.purgeClass != nil {
            try validation.validateMark(on: path)
        }
        if probe.isExcludedFromBackup == true {
            try validation.validateExclusion(of: path)
        }
        return try marks.update(path, excludesByClass: { excludesByClass(path) }, change)
    }

    /// Whether a class mark also leaves something out of backups: not a place that has a role of its own.
    func excludesByClass(_ path: FilePath) -> Bool {
        // The reason is for those who ask for the exclusion itself.
        // mutation: r11d-1
        (try? validation.validateExclusion(of: path)) != nil
    }

    /// The mark that holds for a file or directory: its own and what the directories around it hand
    /// down, but no class from a place that cannot be declared, however the mark got there (S11).
    ///
    /// - Parameter path: absolute, without links.
    public func effectiveMark(of path: FilePath) throws(HeadroomError) -> Mark {
        try heldMark(of: path).mark
    }

    /// The same, with the user on whose word its class holds.
    func heldMark(of path: FilePath) throws(HeadroomError) -> HeldMark {
        let held = try marks.heldMark(of: path)
        guard held.mark.purgeClass != nil else { return held }
        // Rare enough to find out where it comes from: the nearest one that has a class.
        var current = path
        while try marks.mark(of: current).purgeClass == nil {
            guard current.depth > 0 else { return held }
            current.removeLastComponent()
        }
        if allowsClassMark(on: current) { return held }
        var mark = held.mark
        mark.purgeClass = nil
        return HeldMark(mark: mark)
    }

    /// Whether something may be marked as purgeable or last resort, as far as its place goes.
    public func allowsClassMark(on path: FilePath) -> Bool {
        // The reason is for those who try.
        (try? validation.validateMark(on: path)) != nil
    }
}

extension AreaValidation {
    /// Checks that a mark with a class may be put on something.
    func validateMark(on path: FilePath) throws(HeadroomError) {
        guard let why = obstacle(to: path, countsRoles: false) else { return }
        throw HeadroomError(
            .refused,
            "\(path.displayText) cannot be marked as purgeable: \(why). "
                + "Mark the files or directories in it that can be made again.")
    }

    /// Checks that something may be left out of backups: it is no place that has a role of its own,
    /// and holds none that is essential (R11).
    func validateExclusion(of path: FilePath) throws(HeadroomError) {
        guard let why = obstacle(to: path, countsRoles: true) else { return }
        throw HeadroomError(
            .refused,
            "\(path.displayText) cannot be left out of backups: \(why). "
                + "Leave out the files or directories in it that need no backup.")
    }

    /// What a place is or holds, as it stands in a sentence; nil: nothing that is guarded.
    ///
    /// - Parameter countsRoles: also what has a role of its own and may be purged.
    private func obstacle(to path: FilePath, countsRoles: Bool) -> String? {
        // What is no directory holds nothing, and what cannot be opened is the store's to report.
        guard let directory = try? ResolvedDirectory(path, followingLast: false) else {
            return obstacle(around: path)
        }
        guard !directory.ancestors.isEmpty else { return "it is the root of the file tree" }
        let findings = index.findings(for: directory)
        if let entry = findings.same.first(where: { countsRoles || $0.place.rule != .itself }) {
            return "it is \(entry.place.name)"
        }
        if let entry = findings.inside.first(where: { $0.place.rule.holdsWhatContainsIt }) {
            return "it contains \(entry.place.name)"
        }
        if let silent = findings.silent { return "\(silent.place.name) does not answer" }
        return findings.final.first.map { "it lies in \($0.place.name)" }
    }

    /// The same of what is no directory.
    private func obstacle(around path: FilePath) -> String? {
        guard path.depth > 0,
            let directory = try? ResolvedDirectory(path.removingLastComponent())
        else { return nil }
        let findings = index.findings(for: directory)
        return (findings.same.filter(\.place.rule.isFinal) + findings.final).first
            .map { "it lies in \($0.place.name)" }
    }
}
