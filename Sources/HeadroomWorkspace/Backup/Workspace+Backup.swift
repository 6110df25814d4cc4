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
    /// Makes a reader of backup exclusions, with the areas and the ledger as they are now. Blocks.
    ///
    /// - Parameter paths: what is to be asked about, so that containers of apps around are known.
    public func backupExclusionReader(for paths: [FilePath] = []) -> BackupExclusionReader {
        var layouts = self.layouts
        for path in paths {
            guard let layout = Layout.appleContainer(around: path),
                !layouts.contains(where: { $0.root == layout.root })
            else { continue }
            layouts.append(layout)
        }
        let validation = AreaValidation(layouts: layouts, marks: marks, answers: answers)
        var areas = backupAreas
        areas += layouts.dropFirst(self.layouts.count).flatMap { validation.usable($0).areas }
        let real = areas.map { area in
            var area = area
            // One that is not there yet is known by its name.
            if let directory = try? ResolvedDirectory(area.root) { area.root = directory.path }
            return area
        }
        let known = layouts
        return BackupExclusionReader(
            calls: NativeCalls.make(), recorded: ledger.markedFiles, areas: AreaMap(real).areas
        ) { path in
            (try? AreaValidation(layouts: known, marks: self.marks, answers: self.answers)
                .validateMark(on: path)) != nil
        }
    }

    /// Lists what backups leave out below some directories, or of some files: what says so itself in
    /// any dialect, and what is temporary, cache or last resort by its area or a mark.
    ///
    /// Other volumes are not entered, with a note each. Blocks; reads the attributes of every file
    /// that is backed up.
    ///
    /// - Parameter paths: absolute; links on the way are followed. One may lie in another.
    /// - Throws: `notFound`, `notPermitted`, if one of them cannot be opened.
    /// - Complexity: O(entries) time, without those of what is left out whole; some hundred bytes a
    ///   directory.
    public func excludeList(
        of paths: [FilePath], progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> ExcludeList {
        let reader = backupExclusionReader(for: paths)
        let lifted =
            reader.essentialRoots
            + ledger.markedFiles.filter { $0.mark.isExcludedFromBackup == false }.map(\.path)
        var entries: [ExcludeList.Entry] = []
        var notes: [Reason] = []
        for path in paths {
            guard let root = try? ResolvedDirectory(path, followingLast: false).path else {
                let exclusion = try reader.exclusion(of: path)
                if exclusion.isExcluded {
                    entries.append(
                        ExcludeList.Entry(path: path, isDirectory: false, exclusion: exclusion))
                }
                continue
            }
            let found = try ExcludeWalk(reader, lifted: lifted).run(root, progress)
            entries += found.entries
            notes += found.notes
            entries += missingAreas(below: root)
        }
        return ExcludeList(entries, notes: notes)
    }

    /// Areas that are not there yet: a list that is made today may be used for years.
    private func missingAreas(below root: FilePath) -> [ExcludeList.Entry] {
        layouts.flatMap(\.areas).compactMap { area in
            guard area.purgeClass != .essential, area.root.lies(in: root),
                (try? ResolvedDirectory(area.root)) == nil
            else { return nil }
            let place = BackupExclusion.Place(
                path: area.root, purgeClass: area.purgeClass, origin: area.origin)
            return ExcludeList.Entry(
                path: area.root, isDirectory: true, exclusion: .byLocation(place))
        }
    }
}
