//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform

/// What marks come to where areas meet. A scan and a purge have to agree on it, or nothing goes.
extension Inventory {
    /// The mark that holds in a directory of the scan, but for its root.
    ///
    /// At the root of an area, of what is around it only protection holds, since the nearer declaration
    /// wins; and what is essential by its role is no other class by a mark on it (safety invariant S11).
    ///
    /// - Parameters:
    ///   - own: the directory's own mark, as it was read now, with `status`.
    ///   - outer: the mark that holds in its parent.
    package func mark(
        _ own: MarkReading?, _ status: FileStatus, of record: DirectoryRecord, in outer: HeldMark
    ) -> HeldMark {
        let area = area(of: record)
        guard record.flags.contains(.areaRoot), let area else {
            return outer.entering(own, status, in: HeldMark.AreaClass(area))
        }
        // A person's word on what is around a well-known cache is meant for it, too.
        let handedDown = area.catalogueID != nil ? outer : outer.withoutDeclaration
        let mark = handedDown.entering(own, status, in: HeldMark.AreaClass(area))
        return area.purgeClass == .essential ? mark.withoutDeclaration : mark
    }

    /// The mark that holds in a root of the scan.
    package func mark(_ own: MarkReading?, _ status: FileStatus, ofRoot number: Int) -> HeldMark {
        let root = roots[number]
        let record = directories[Int(root.directory)]
        let area = area(of: record)
        let mark = HeldMark(mark: root.mark).entering(
            own, status, in: HeldMark.AreaClass(area))
        guard let area else { return mark }
        let isRole = area.purgeClass == .essential && area.root.names == root.path.names
        return isRole ? mark.withoutDeclaration : mark
    }
}

extension HeldMark {
    /// The mark without class and importance; pin and backup exclusion remain.
    var withoutDeclaration: HeldMark { HeldMark(mark: mark.withoutDeclaration) }
}

extension Mark {
    /// Without the class and the importance; what protects stays.
    var withoutDeclaration: Mark {
        Mark(isPinned: isPinned, isExcludedFromBackup: isExcludedFromBackup)
    }
}
