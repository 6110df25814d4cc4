//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is done about a mark that the ledger records and the file does not carry.
///
/// Marks get lost: a file is replaced by a new one under its name, or a tool drops attributes. What
/// protects is put back. Permission to delete is put back only on the very file it was given for: a
/// new file at an old path must not inherit it.
package struct MarkRepair: Hashable, Sendable {
    /// What to put on the file again; empty: nothing.
    package var restored: Mark
    /// What was lost and is only told about.
    package var reported: Mark

    /// Decides about a lost mark.
    ///
    /// - Parameters:
    ///   - recorded: the mark in the ledger's record.
    ///   - file: the file that it was recorded for.
    ///   - found: the file that is there now, by the same key or at the recorded path.
    ///   - present: what that file carries.
    ///   - replacedBySave: our own save put it there in place of the one that was marked.
    package init(
        recorded: Mark, of file: FileKey, found: FileKey, present: Mark,
        replacedBySave: Bool = false
    ) {
        // What it carries now is newer than the record.
        var lost = Mark.none
        if present.purgeClass == nil { lost.purgeClass = recorded.purgeClass }
        if present.isPinned == nil { lost.isPinned = recorded.isPinned }
        if present.importance == nil { lost.importance = recorded.importance }
        if present.isExcludedFromBackup == nil {
            lost.isExcludedFromBackup = recorded.isExcludedFromBackup
        }
        if replacedBySave || Self.isSameFile(file, found) {
            restored = lost
            reported = .none
            return
        }
        // mutation: r9d-1
        restored = Mark(
            isPinned: lost.isPinned == true ? true : nil,
            isExcludedFromBackup: lost.isExcludedFromBackup == true ? true : nil)
        reported = Mark(
            purgeClass: lost.purgeClass, isPinned: lost.isPinned == false ? false : nil,
            importance: lost.importance,
            isExcludedFromBackup: lost.isExcludedFromBackup == false ? false : nil)
    }

    /// Whether two keys are provably of one file. Without a birth time they are not: the inode may
    /// have been used again.
    package static func isSameFile(_ left: FileKey, _ right: FileKey) -> Bool {
        left == right && left.birth != 0
    }
}

extension Mark {
    /// This mark, which a file carries, with what the ledger has recorded for the same key.
    ///
    /// On a file system without birth times the file may be another one with the same inode: only
    /// what protects holds then.
    package func completed(by recorded: Mark?, of file: FileKey) -> Mark {
        guard let recorded else { return self }
        let repair = MarkRepair(recorded: recorded, of: file, found: file, present: self)
        // mutation: r9c-1
        return inheriting(repair.restored)
    }
}
