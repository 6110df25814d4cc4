//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

extension MarkStore {
    /// What was taken off a file or directory.
    package struct Taken {
        package var mark: Mark
        package var wasDamaged: Bool
        package var hadTag: Bool
    }

    /// Takes off a file or directory all that Headroom has put there: the whole attribute, with the
    /// note that there are marked files, what backup programs read as far as a mark says that it is
    /// ours, and a tag of ours.
    package func forget(_ path: FilePath) throws(HeadroomError) -> Taken {
        let place = try open(path, "forget")
        let file = place.file.rawValue
        let present = MarkAttribute.read(file, calls)
        let before = present.isDamaged ? Mark.none : mark(of: place)
        let flags = BackupFlags(calls)
        // mutation: r37e-1
        let isOurs = before.isExcludedFromBackup == true || before.isExcludedByClass
        let removed =
            isOurs
            ? flags.removeOwn(from: file, isDirectory: place.isDirectory)
            : flags.remove(.ownTag, from: file, isDirectory: place.isDirectory)
        do throws(Errno) {
            if present != .none {
                _ = try calls.removeAttribute(MarkAttribute.name, of: file)
            }
            if present != .none || !removed.dialects.isEmpty { try calls.synchronize(file) }
        } catch {
            throw HeadroomError("take the mark off", path, error)
        }
        if ledger.mark(for: place.key) != nil {
            try ledger.setMark(
                .none, for: place.key, path: path, isDirectory: place.isDirectory)
        }
        if let failure = removed.failures.first {
            throw HeadroomError("take what backup programs read off", path, failure.error)
        }
        return Taken(
            mark: before, wasDamaged: present.isDamaged,
            hadTag: removed.dialects.contains(.ownTag))
    }
}
