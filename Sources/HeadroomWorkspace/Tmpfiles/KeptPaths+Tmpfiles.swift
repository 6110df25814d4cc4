//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCatalog
import HeadroomCore
package import HeadroomPlanning
package import SystemPackage

extension KeptPaths {
    /// The paths that `x` and `X` lines of tmpfiles.d keep.
    package static func exclusions(
        _ contexts: [TmpfilesContext], below roots: [FilePath]
    ) -> [Entry] {
        var entries: [Entry] = []
        for context in contexts {
            for line in TmpfilesExclusions(context).lines {
                let reason = Reason(
                    .tmpfilesExcluded, "A line of tmpfiles.d excludes it (\(line.source)).")
                for path in line.paths(below: roots) {
                    entries.append(
                        Entry(path: path, reason: reason, extent: line.isTree ? .tree : .unit))
                }
            }
        }
        return entries
    }
}
