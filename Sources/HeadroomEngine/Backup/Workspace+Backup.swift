//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
        let validation = AreaValidation(layouts: layouts, marks: marks)
        var areas = scope().areas
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
            (try? AreaValidation(layouts: known, marks: self.marks).validateMark(on: path)) != nil
        }
    }
}
