//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCatalog
package import HeadroomCore
package import HeadroomPlanning
import HeadroomPlatform
package import SystemPackage

extension KeptPaths {
    /// The paths that lines of tmpfiles.d keep.
    ///
    /// - Parameter areas: a line that creates one of these, or a directory around it, keeps nothing in it.
    package static func exclusions(
        _ contexts: [TmpfilesContext], below roots: [FilePath], areas: [Area] = []
    ) -> [Entry] {
        var entries: [Entry] = []
        for context in contexts {
            for line in TmpfilesExclusions(context).lines {
                let verb = line.creates ? "creates" : "excludes"
                let reason = Reason(
                    .tmpfilesExcluded, "A line of tmpfiles.d \(verb) it (\(line.source)).")
                let creates = line.creates
                for path in line.paths(below: roots)
                where !creates || !areas.contains(where: { $0.root.lies(in: path) }) {
                    entries.append(
                        Entry(path: path, reason: reason, extent: line.isTree ? .tree : .unit))
                }
            }
        }
        return entries
    }
}
