//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import HeadroomPurging
import SystemPackage

/// What a person may throw away (safety invariants S1 and S11): looks at each thing that was named.
///
/// Refused are places with a role, what contains one, what no one may touch (Preferences, an app's
/// bundle, the kernel's own), the system's directories, other accounts' homes, what is in a trash
/// already, what lies outside an app's own places, what is pinned, leased, immutable or mounted.
struct DisposalRules {
    private let workspace: Workspace
    private let index: GuardIndex
    private let homes: Set<FileIdentity>
    /// Directories that are nobody's to throw away, with what they are.
    private var kept: [(identity: FileIdentity, ancestors: Set<FileIdentity>, what: String)] = []
    private var trashes: Set<FileIdentity> = []
    /// The links on the way to the home's trash.
    private var keptLinks: Set<FileIdentity> = []
    private let trashNames: TrashNames
    /// What was named must lie in one of these; nil: anywhere.
    private let limits: [FilePath]?
    private let calls: any FileSystemCalls

    init(_ workspace: Workspace, within limits: [FilePath]?) {
        self.workspace = workspace
        self.limits = limits?.map { (try? ResolvedDirectory($0).path) ?? $0 }
        calls = workspace.calls
        let mounts = (try? MountTable.current()) ?? MountTable([])
        index = GuardIndex(
            workspace.layouts + [.system(), .records(in: workspace.ledger.directory)],
            mounts: mounts, answers: workspace.answers)
        let roots = workspace.answers.places(at: workspace.layouts.map(\.root), mounts)
        // One that nobody knows is nobody's home: in it nothing is thrown away.
        homes = Set(
            roots.values.compactMap { $0.place?.identity })
        let places = workspace.trash.places
        trashNames = TrashNames(volumes: places.volumeRoots + mounts.mounts.map(\.point))
        for area in workspace.ledger.registrations {
            keep(area.root, "registered (\(area.origin))")
        }
        for trash in places.find().trashes { keepTrash(trash.directory.path) }
        // One that lacks a part is not found; the links that lead to it would be lost as it would.
        // mutation: s1c-4
        keepTrash(places.home)
        keptLinks = Set(places.named.links + places.home.links)
    }

    /// Keeps a trash directory with everything in it.
    private mutating func keepTrash(_ path: FilePath) {
        keep(path, "a trash directory")
        // A trash directory that does not exist needs no protection.
        if let identity = (try? ResolvedDirectory(path))?.status.identity {
            trashes.insert(identity)
        }
    }

    private mutating func keep(_ path: FilePath, _ what: String) {
        // What is not there cannot be named.
        guard let directory = try? ResolvedDirectory(path) else { return }
        kept.append(
            (directory.status.identity, Set(directory.ancestors.map(\.identity)), what))
    }

    // MARK: - Naming

    func select(_ paths: [FilePath]) -> UserFileSelection {
        var survey = DisposalSurvey(marks: workspace.markSource, calls: calls)
        var files: [UserFile] = []
        var chosen: Set<FilePath> = []
        var refused: [Receipt.Skipped] = []
        for path in paths {
            do throws(HeadroomError) {
                let named = try NamedEntry.find(path, calls)
                // Named twice, or with a directory around it.
                if named.path.lies(in: chosen) { continue }
                try check(named)
                let finding = try look(through: named, &survey)
                if let obstacle = finding.obstacle {
                    refused.append(Receipt.Skipped(path: named.path, reason: obstacle))
                    continue
                }
                chosen.insert(named.path)
                files.append(
                    UserFile(
                        path: named.path, type: named.status.type,
                        allocated: ByteCount(finding.allocated), fileCount: finding.files,
                        status: named.status, evidence: finding.evidence))
            } catch {
                let code =
                    error.cause == .timedOut ? Reason.Code.volumeSilent : error.code.reason
                refused.append(
                    Receipt.Skipped(path: path, reason: Reason(code, error.message)))
            }
        }
        // What is in a directory that was named later goes with that.
        let outermost = files.filter { !$0.path.removingLastComponent().lies(in: chosen) }
        guard outermost.count == files.count else {
            let again = select(outermost.map(\.path))
            return UserFileSelection(
                files: again.files, refused: refused + again.refused,
                freesWhenEmptied: again.freesWhenEmptied)
        }
        return UserFileSelection(
            files: files, refused: refused, freesWhenEmptied: survey.tally.freed)
    }

    private func look(
        through named: borrowing NamedEntry, _ survey: inout DisposalSurvey
    ) throws(HeadroomError) -> DisposalSurvey.Finding {
        let outer = try workspace.effectiveMark(of: named.path.removingLastComponent())
        do throws(Errno) {
            return try survey.add(
                named.name, at: named.parent.rawValue, named.status, outer: outer)
        } catch {
            throw HeadroomError("look through", named.path, error)
        }
    }

    // MARK: - Rules

    /// - Throws: `refused`; `io` while a guarded place does not answer that may have to do with it.
    func check(_ named: borrowing NamedEntry) throws(HeadroomError) {
        let path = named.path
        let status = named.status
        if named.name.withEntryName({ ReservedName.matches($0) }) {
            throw Self.refused(path, "it is left over from a purge, which the next one finishes")
        }
        if status.isMountRoot || status.mountID != named.directory.status.mountID {
            throw Self.refused(path, "a volume is mounted there")
        }
        if let limits, !limits.contains(where: { path.lies(in: $0) && path != $0 }) {
            throw Self.refused(path, "it lies outside of this app's own places")
        }
        try checkPlaces(named, index)
        if let container = Layout.appleContainer(around: path) {
            try checkPlaces(named, GuardIndex(container: container))
        }
        for place in kept {
            if place.identity == status.identity {
                throw Self.refused(path, "it is \(place.what)")
            }
            if place.ancestors.contains(status.identity) {
                throw Self.refused(path, "it contains what is \(place.what)")
            }
        }
        if status.type == .symbolicLink, keptLinks.contains(status.identity) {
            throw Self.refused(path, "it leads to a trash directory")
        }
        // mutation: s1c-2
        if trashNames.isTrash(path) { throw Self.refused(path, "it is a trash directory") }
        // mutation: s1c-3/1 (3 lines)
        if trashes.contains(named.directory.status.identity)
            || trashNames.isTrash(path.removingLastComponent())
        {
            throw Self.refused(path, "it is part of a trash directory")
        }
        let around = [named.directory.status] + named.directory.ancestors
        // mutation: s1c-3/2 (3 lines)
        if around.contains(where: { trashes.contains($0.identity) })
            || trashNames.lies(inTrash: path)
        {
            throw Self.refused(
                path, "it is in the trash already. Empty that with headroom trash empty")
        }
    }

    private func checkPlaces(
        _ named: borrowing NamedEntry, _ index: GuardIndex
    ) throws(HeadroomError) {
        if named.status.type == .directory {
            let directory: ResolvedDirectory
            do throws(Errno) {
                directory = try ResolvedDirectory(named.path, followingLast: false)
            } catch {
                throw HeadroomError("open", named.path, error)
            }
            let findings = index.findings(for: directory)
            if let entry = findings.same.first {
                throw Self.refused(named.path, "it is \(entry.place.name)")
            }
            if let entry = findings.inside.first {
                throw Self.refused(named.path, "it contains \(entry.place.name)")
            }
            if let silent = findings.silent { throw silent.error(for: named.path) }
        }
        let findings = index.findings(for: named.directory)
        if let silent = findings.mayHold { throw silent.error(for: named.path) }
        let innermost = findings.same.isEmpty ? findings.around : findings.same
        for entry in findings.same.filter(\.place.rule.isFinal) + findings.final
        where !entry.place.isInbox {
            throw Self.refused(named.path, "it lies in \(entry.place.name)")
        }
        // A person's own home is essential, and its owner's to tidy; the system's places are not.
        for entry in innermost
        where entry.place.rule == .essential && entry.layoutRoot == "/"
            && !homes.contains(entry.identity)
        {
            throw Self.refused(named.path, "it lies in \(entry.place.name)")
        }
    }

    static func refused(_ path: FilePath, _ why: String) -> HeadroomError {
        HeadroomError(.refused, "\(path.displayText) cannot be thrown away: \(why).")
    }
}

/// Something that was named by a path, and the open directory that it lies in.
struct NamedEntry: ~Copyable {
    let directory: ResolvedDirectory
    /// The directory once more, open for reading.
    let parent: Descriptor
    let name: FileName
    let path: FilePath
    let status: FileStatus

    /// Finds what a path names. The directories on the way may be reached by links.
    static func find(
        _ path: FilePath, _ calls: any FileSystemCalls
    ) throws(HeadroomError) -> NamedEntry {
        guard path.isAbsolute, let last = path.lastComponent, last.kind == .regular,
            let name = FileName(FilePath(root: nil, [last]).bytes)
        else {
            throw HeadroomError(
                .invalid, "\(path.displayText) names no file: it has no name at its end.")
        }
        do throws(Errno) {
            return try NamedEntry(name, in: path.removingLastComponent(), calls)
        } catch {
            throw HeadroomError("find", path, error)
        }
    }

    private init(
        _ name: FileName, in outer: FilePath, _ calls: any FileSystemCalls
    ) throws(Errno) {
        let directory = try ResolvedDirectory(outer)
        let descriptor = directory.descriptor.rawValue
        let parent = Descriptor(owning: try calls.openDirectory(beneath: descriptor, path: []))
        status = try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: descriptor)
        }
        path = directory.path.appending(name)
        self.name = name
        self.parent = parent
        self.directory = directory
    }
}
