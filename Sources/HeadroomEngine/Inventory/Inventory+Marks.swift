//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What marks come to where areas meet. A scan and a purge have to agree on it, or nothing goes.
extension Inventory {
    /// The mark that holds in a directory of the scan, but for its root.
    ///
    /// At the root of an area, of what is around it only protection holds, since the nearer declaration
    /// wins; and what is essential by its role is no other class by a mark on it (safety invariant S11).
    ///
    /// - Parameters:
    ///   - own: the directory's own mark, as it was read now.
    ///   - outer: the mark that holds in its parent.
    func mark(_ own: Mark?, of record: DirectoryRecord, in outer: Mark) -> Mark {
        guard record.flags.contains(.areaRoot), record.area != DirectoryRecord.noArea else {
            return own?.inheriting(outer) ?? outer
        }
        let area = areas[Int(record.area)]
        // A person's word on what is around a well-known cache is meant for it, too.
        let handedDown = area.catalogueID != nil ? outer : outer.withoutDeclaration
        let mark = own?.inheriting(handedDown) ?? handedDown
        return area.purgeClass == .essential ? mark.withoutDeclaration : mark
    }

    /// The mark that holds in a root of the scan.
    func mark(_ own: Mark?, ofRoot number: Int) -> Mark {
        let root = roots[number]
        let mark = own?.inheriting(root.mark) ?? root.mark
        let record = directories[Int(root.directory)]
        guard record.area != DirectoryRecord.noArea else { return mark }
        let area = areas[Int(record.area)]
        let isRole = area.purgeClass == .essential && area.root.names == root.path.names
        return isRole ? mark.withoutDeclaration : mark
    }
}

extension Mark {
    /// Without the class and the importance; what protects stays.
    var withoutDeclaration: Mark {
        Mark(isPinned: isPinned, isExcludedFromBackup: isExcludedFromBackup)
    }
}
