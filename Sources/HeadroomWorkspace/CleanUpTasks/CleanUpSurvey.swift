//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// What a task names, as it was found.
struct CleanUpPlace: Hashable, Sendable {
    var task: CleanUpTask
    /// The directory to scan.
    var root: FilePath
    /// What goes: files, and directories with all that is in them.
    var chosen: [FilePath]
    /// Directories among them that go whole.
    var units: [FilePath] = []
    /// Directories among them that are emptied, and stay.
    var emptied: [FilePath] = []
    /// What interrupted purges have left beside them, which goes along.
    var leftovers: [FilePath] = []
}

/// Finds what tasks name, and refuses what they may not.
///
/// Each component of a path is opened in the one before without following a link or entering another
/// mount, so that nothing leads out of the container. Removes nothing; what is found here is looked at
/// again by the scan, the planner and the purger, for which nothing of this is a permission.
struct CleanUpSurvey {
    let workspace: Workspace
    /// Without links.
    let container: FilePath
    private let map: AreaMap
    private let index: GuardIndex
    private let calls: any FileSystemCalls

    init(_ workspace: Workspace, container: FilePath) {
        self.workspace = workspace
        self.container = container
        map = workspace.knownAreas().map
        index =
            AreaValidation(
                layouts: workspace.layouts, marks: workspace.marks, answers: workspace.answers
            ).index
        calls = workspace.calls
    }

    enum Finding: Sendable {
        case found(CleanUpPlace)
        /// There is nothing of that name, so there is nothing to do.
        case nothing
        case refused([CleanUpTaskProblem])
    }

    private struct Refusal: Error {
        var key: String
        var reason: Reason

        init(_ key: String, _ text: String, _ code: Reason.Code = .refusedTask) {
            self.key = key
            reason = Reason(code, text)
        }
    }

    /// Looks up what a task removes; a task that calls actions removes nothing here.
    func look(at task: CleanUpTask) -> Finding {
        guard case .remove(let path, let entries) = task.work else { return .nothing }
        do throws(Refusal) {
            guard let place = try find(path, entries, task) else { return .nothing }
            return .found(place)
        } catch {
            return .refused([
                CleanUpTaskProblem(
                    task: task.number, name: task.name, key: error.key, reason: error.reason)
            ])
        }
    }

    private func find(
        _ path: String, _ entries: [String]?, _ task: CleanUpTask
    ) throws(Refusal) -> CleanUpPlace? {
        let names = path.split(separator: "/").compactMap { FileName(Array($0.utf8)) }
        guard let last = names.last else { throw Refusal("Path", "It names nothing.") }
        guard let parent = try open(names.dropLast()) else { return nil }
        let directory = names.dropLast().reduce(container) { $0.appending($1) }
        let target = directory.appending(last)
        guard let status = try status(of: last, at: parent.rawValue, target) else { return nil }
        switch status.type {
        case .directory:
            guard let opened = try open(names[...]) else { return nil }
            if let entries {
                return try choose(entries, in: target, opened.rawValue, task)
            }
            try check(target, isDirectory: true, key: "Path")
            try checkUnit(around: target, isEmptied: true)
            return CleanUpPlace(task: task, root: target, chosen: [target], emptied: [target])
        case .regular:
            guard entries == nil else {
                throw Refusal(
                    "Entries", "\(shown(target)) is a file, and has no entries. Leave them out.")
            }
            try check(target, isDirectory: false, key: "Path")
            try checkUnit(around: target, isEmptied: false)
            return CleanUpPlace(task: task, root: directory, chosen: [target])
        case .symbolicLink:
            throw Refusal(
                "Path",
                "\(shown(target)) is a link, and links are not followed. Name what it leads to.")
        default:
            throw Refusal("Path", "\(shown(target)) is neither a file nor a directory.", .special)
        }
    }

    // MARK: - Entries

    private func choose(
        _ entries: [String], in directory: FilePath, _ descriptor: Int32, _ task: CleanUpTask
    ) throws(Refusal) -> CleanUpPlace? {
        try checkRole(of: directory, allowingRoles: true, key: "Path")
        try checkUnit(around: directory, isEmptied: true)
        let patterns = entries.map(EntryPattern.init)
        let names: [FileName]
        do {
            names = try calls.names(in: descriptor)
        } catch {
            throw Refusal("Path", "\(shown(directory)) could not be read: \(error).", .unreadable)
        }
        var place = CleanUpPlace(task: task, root: directory, chosen: [])
        // Sorted, so that of several refusals it is always the same.
        for name in names.sorted()
        where patterns.contains(where: { $0.matches(name) }) {
            let child = directory.appending(name)
            guard !name.withEntryName({ ReservedName.matches($0) }) else {
                place.leftovers.append(child)
                continue
            }
            guard let status = try status(of: name, at: descriptor, child)
            else { continue }
            try check(child, isDirectory: status.type == .directory, key: "Entries")
            place.chosen.append(child)
            guard status.type == .directory else { continue }
            // A declared directory is emptied by the rules of its own area, and never removed (S2).
            if map.areas.contains(where: { $0.root == child }) {
                place.emptied.append(child)
            } else {
                // mutation: r30a-2
                place.units.append(child)
            }
        }
        return place.chosen.isEmpty && place.leftovers.isEmpty ? nil : place
    }

    // MARK: - Opening

    /// Opens a directory of the container.
    ///
    /// - Returns: nil if it is not there.
    private func open(_ names: ArraySlice<FileName>) throws(Refusal) -> Descriptor? {
        var current: Descriptor
        do {
            current = try Descriptor.openDirectory(container)
        } catch {
            throw Refusal("Path", "\(shown(container)) could not be opened: \(error).", .unreadable)
        }
        var path = container
        for name in names {
            path = path.appending(name)
            switch try step(name, at: current.rawValue, path) {
            case nil: return nil
            case let next?: current = Descriptor(owning: next)
            }
        }
        return current
    }

    private func step(
        _ name: FileName, at parent: Int32, _ path: FilePath
    ) throws(Refusal) -> Int32? {
        guard let status = try status(of: name, at: parent, path) else { return nil }
        guard status.type == .directory else {
            throw Refusal(
                "Path",
                status.type == .symbolicLink
                    ? "\(shown(path)) is a link, and links are not followed. Name what it leads to."
                    : "\(shown(path)) is no directory.")
        }
        do {
            return try name.withEntryName { (entry) throws(Errno) in
                try calls.openDirectory(entry, at: parent, crossingMounts: false)
            }
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .improperLink {
            throw Refusal(
                "Path",
                "Another volume is mounted at \(shown(path)), which is not the container's.",
                .mountPoint)
        } catch {
            throw Refusal("Path", "\(shown(path)) could not be opened: \(error).", .unreadable)
        }
    }

    private func status(
        of name: FileName, at parent: Int32, _ path: FilePath
    ) throws(Refusal) -> FileStatus? {
        do {
            return try name.withEntryName { (entry) throws(Errno) in
                try calls.status(of: entry, at: parent)
            }
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw Refusal("Path", "\(shown(path)) could not be looked at: \(error).", .unreadable)
        }
    }

    // MARK: - What may go

    /// Refuses what has a role, what holds such a place, and what is essential and not declared (S1, S11).
    private func check(_ path: FilePath, isDirectory: Bool, key: String) throws(Refusal) {
        if isDirectory {
            try checkRole(of: path, allowingRoles: false, key: key)
        } else {
            try checkRole(of: path.removingLastComponent(), allowingRoles: true, key: key)
        }
        let area = map.area(for: path)
        if let area, area.purgeClass != .essential { return }
        let mark = try? workspace.effectiveMark(of: path)
        guard mark?.purgeClass != nil else {
            throw Refusal(
                key,
                "\(shown(path)) is essential (\(area?.origin ?? "it is not declared as anything")), and "
                    + "is not removed. If it can be made again, register or mark it as purgeable.",
                .essential)
        }
    }

    /// - Parameter allowingRoles: something in it is named, not the directory itself.
    private func checkRole(
        of path: FilePath, allowingRoles: Bool, key: String
    ) throws(Refusal) {
        let findings: GuardIndex.Findings
        do throws(Errno) {
            findings = index.findings(for: try ResolvedDirectory(path, followingLast: false))
        } catch {
            throw Refusal(key, "\(shown(path)) could not be opened: \(error).", .unreadable)
        }
        if let same = findings.same.first(where: { !allowingRoles || $0.place.rule.isFinal }) {
            throw Refusal(
                key,
                "\(shown(path)) is \(same.place.name), which keeps its content as a whole. "
                    + (same.place.rule.isFinal
                        ? "Nothing in it is removed."
                        : "Name a directory in it, or what may go of it in Entries."))
        }
        if !allowingRoles, let inside = findings.inside.first {
            throw Refusal(
                key, "\(shown(path)) contains \(inside.place.name). Name what in it may go.")
        }
        if let silent = allowingRoles ? findings.mayHold : findings.silent {
            throw Refusal(key, silent.error(for: path).message, .volumeSilent)
        }
        if let around = findings.final.first {
            throw Refusal(
                key, "\(shown(path)) lies in \(around.place.name), where nothing is removed.")
        }
    }

    /// What goes whole is not torn (S6).
    private func checkUnit(around path: FilePath, isEmptied: Bool) throws(Refusal) {
        guard let area = map.area(for: path), area.unit == .entry, area.root != path,
            isEmptied || path.removingLastComponent() != area.root
        else { return }
        throw Refusal(
            "Path",
            "\(shown(path)) is part of \(shown(area.root)), whose entries go whole. Make a task with "
                + "that path, and name the entry.")
    }

    /// A path as it stands in a sentence: relative to the container.
    private func shown(_ path: FilePath) -> String {
        var rest = path
        guard path != container, rest.removePrefix(container) else { return path.displayText }
        return rest.displayText
    }
}
