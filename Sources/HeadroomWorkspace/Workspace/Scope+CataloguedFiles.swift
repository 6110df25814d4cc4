//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

extension Scope {
    /// Files that areas of the catalog keep: those that it protects, and lock files.
    ///
    /// A lock file is never purged by itself: a process that waits for the old file and one that creates a new file
    /// would both get the lock. Where it is a part of a unit, it is purged with the unit.
    func cataloguedFiles() -> [KeptPaths.Entry] {
        areas.filter { $0.purgeClass != .essential }.flatMap { area -> [KeptPaths.Entry] in
            let protected = area.protectedFiles.map { file in
                KeptPaths.Entry(
                    path: file, reason: Reason(.essential, "The catalog protects it."),
                    extent: .unit)
            }
            let locks = area.lockFiles.filter { file in
                file.lies(in: area.root)
                    && (area.unit == .file || file.removingLastComponent() == area.root)
            }.map { file in
                KeptPaths.Entry(
                    path: file,
                    reason: Reason(.essential, "It is a lock file of \(area.origin)."),
                    extent: .unit)
            }
            return protected + locks
        }
    }
}
