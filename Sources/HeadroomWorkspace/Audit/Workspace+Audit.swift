//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCache
public import HeadroomCore
public import HeadroomInventory
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Looks at directories: what of them is backed up, what the largest files are, what is amiss.
    /// Changes nothing. Blocks: scans, and reads the beginnings of the largest files.
    ///
    /// Any directory may be named. One that is an app's container, or lies in one, is judged as Apple
    /// backs it up; all else as what is backed up unless it is excluded.
    ///
    /// - Parameters:
    ///   - paths: directories; the home if there are none. What lies in another one is left out.
    ///   - areGroups: a person says that the directories are containers of app groups.
    ///   - others: what is known of the directories beside the layouts of this work: it says what they
    ///     are, and makes nothing in them purgeable.
    /// - Throws: `HeadroomError` if a directory cannot be opened, or is said to be the container of a
    ///   group and is none.
    public func audit(
        _ paths: [FilePath] = [], areGroups: Bool = false, options: AuditOptions = .standard,
        adding others: [Layout] = [], progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> Audit {
        let scope = try auditScope(paths, areGroups: areGroups, adding: others)
        let layouts = scope.layouts
        let calls = NativeCalls.make()
        let source = AuditMarkSource(
            marks: LedgerMarkSource(calls: calls, recorded: ledger.markedFiles),
            flags: BackupFlags(calls),
            readsEveryFile: options.readsEveryFile
                ?? layouts.contains { $0.kind == .appleContainer || $0.kind == .appleGroup })
        var scanOptions = ScanOptions(now: clock())
        scanOptions.markSource = source
        let inventory = try Scanner.scan(
            scope.roots, areas: scope.areas, options: scanOptions, progress: progress)
        let survey = AuditSurvey(
            inventory, layouts: layouts, options: options, tagged: source.taggedDirectories,
            stores: Self.stores(in: inventory))
        let evidence =
            inventory.isComplete
            ? EvidenceReader(calls).read(survey.candidates, of: inventory) : [:]
        let lost = lostMarks(in: scope.roots.map(\.path))
        var audit = Audit(
            survey: survey, evidence: evidence,
            lostMarks: lost.flatMap(LostMarkFindings.findings))
        if audit.findings.contains(where: { $0.code == .userContentExcluded }) {
            audit.nameWords(by: backupExclusionReader(for: scope.roots.map(\.path)))
        }
        return audit
    }

    private struct AuditScope {
        var roots: [ScanRoot]
        var areas: [Area]
        var layouts: [Layout]
    }

    /// The numbers of the directories that are cache stores.
    private static func stores(in inventory: Inventory) -> Set<UInt32> {
        var stores: Set<UInt32> = []
        for (number, record) in inventory.directories.enumerated()
        where record.flags.contains(.looksLikeStore) {
            // A directory that cannot be read as a store counts as plain files.
            guard
                let directory = try? StateDirectory(
                    opening: inventory.path(ofDirectory: UInt32(number))),
                (try? StoreIdentity.read(in: directory)) != nil
            else { continue }
            stores.insert(UInt32(number))
        }
        return stores
    }

    private func auditScope(
        _ paths: [FilePath], areGroups: Bool, adding others: [Layout]
    ) throws(HeadroomError) -> AuditScope {
        var layouts = layouts + others
        var roots: [FilePath] = []
        for path in paths.isEmpty ? layouts.prefix(1).map(\.root) : paths {
            let directory = try resolve(path)
            roots.append(directory)
            for layout in try containers(around: directory, isGroup: areGroups)
            where !layouts.contains(where: { $0.root == layout.root && $0.kind == layout.kind }) {
                layouts.append(layout)
            }
        }
        roots = Self.outermost(roots)
        let map = AreaMap(auditAreas(layouts))
        return AuditScope(
            roots: roots.map { path in
                let volume = try? Volume.containing(path)  // Unknown: reading counts as use.
                return ScanRoot(
                    path: path, countsAccess: !(volume?.isNoatime ?? false),
                    mark: (try? effectiveMark(of: path.removingLastComponent())) ?? .none)
            },
            areas: map.areas,
            layouts: layouts.filter { layout in
                roots.contains { $0.lies(in: layout.root) || layout.root.lies(in: $0) }
            })
    }

    /// The areas as a purge would see them: what may not be used there is essential here.
    private func auditAreas(_ layouts: [Layout]) -> [Area] {
        let known = backupAreas
        let validation = AreaValidation(layouts: layouts, marks: marks, answers: answers)
        return known + layouts.dropFirst(self.layouts.count).flatMap { validation.usable($0).areas }
    }

    /// Without what lies in another one, each once, in their order.
    private static func outermost(_ paths: [FilePath]) -> [FilePath] {
        var kept: [FilePath] = []
        for path in paths where !kept.contains(where: { path.lies(in: $0) }) {
            kept.removeAll { $0.lies(in: path) }
            kept.append(path)
        }
        return kept
    }
}
