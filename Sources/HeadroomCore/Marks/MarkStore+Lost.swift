//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension MarkStore {
    /// What a recorded mark has lost; nil: nothing, or there is nothing of it to be seen.
    ///
    /// Where the file can carry no attribute the ledger alone holds the mark, and nothing is lost.
    package func loss(of recorded: MarkedFile) -> LostMark? {
        // What cannot be opened (gone, not ours, a link by now) cannot be judged.
        guard let place = try? open(recorded.path, "read the mark of") else { return nil }
        return loss(of: recorded, on: place)
    }

    /// Restores the parts of a mark that may be restored, checked again on the open file.
    ///
    /// - Parameter excludesByClass: whether a class leaves the file out of backups.
    /// - Returns: the lost parts; nil if nothing is lost, or the file cannot carry a mark.
    package func restore(
        _ recorded: MarkedFile, excludesByClass: () -> Bool = { false }
    ) throws(HeadroomError) -> LostMark? {
        let place = try open(recorded.path, "mark")
        guard let lost = loss(of: recorded, on: place) else { return nil }
        guard !lost.restored.isEmpty else { return lost }
        let present = MarkAttribute.read(place.file.rawValue, calls)
        let before = self.mark(of: place)
        let mark = before.inheriting(lost.restored)
        _ = try put(mark, over: present, from: before, on: place)
        settleBackup(
            before, mark, on: place, isRestored: true, excludesByClass: excludesByClass)
        return lost
    }

    /// The recorded pins of other files that stood where a file stands now, and hold for it.
    func standingPins(on place: borrowing OpenPlace) -> [MarkedFile] {
        let (key, name) = (place.key, place.path.lastComponent)
        return ledger.markedFiles.filter { recorded in
            recorded.mark.isPinned == true && recorded.key != key
                && recorded.path.lastComponent == name && standing(recorded)?.key == key
        }
    }

    /// The recorded pin as that of the file that a program has put in the place of the one that was marked; nil:
    /// there is none.
    ///
    /// It holds at once, and not only when it is put back.
    package func standing(_ recorded: MarkedFile) -> MarkedFile? {
        // Without opening it: most are what they were. An inode is given again, but not with the same birth.
        guard let status = try? PathCalls.entryStatus(recorded.path),
            FileKey(status, fileSystemID: recorded.key.fileSystemID) != recorded.key,
            let place = try? open(recorded.path, "read the mark of"),
            let lost = loss(of: recorded, on: place), lost.restored.isPinned == true
        else { return nil }
        return MarkedFile(
            key: place.key, mark: Mark(isPinned: true), path: recorded.path,
            isDirectory: recorded.isDirectory)
    }

    private func loss(of recorded: MarkedFile, on place: borrowing OpenPlace) -> LostMark? {
        guard place.isDirectory == recorded.isDirectory else { return nil }
        let attribute = MarkAttribute.read(place.file.rawValue, calls)
        // It protects as it is, and is reported as what it is.
        guard !attribute.isDamaged else { return nil }
        let isSame = place.key == recorded.key
        var present = attribute.mark
        // What another record says of the file that is there now is newer than this one.
        if !isSame { present = present.completed(by: ledger.mark(for: place.key), of: place.key) }
        let repair = MarkRepair(
            recorded: recorded.mark, of: recorded.key, found: place.key, present: present)
        if isSame, !AttributeSupport.isWritable(place.file.rawValue, at: place.path) {
            // The record holds; without a birth time not for what is permission.
            guard !repair.reported.isEmpty else { return nil }
            return lost(recorded, .uncertain, Mark.none, repair.reported)
        }
        guard !repair.restored.isEmpty || !repair.reported.isEmpty else { return nil }
        let cause: LostMark.Cause =
            !isSame ? .replaced : recorded.key.birth == 0 ? .uncertain : .stripped
        return lost(recorded, cause, repair.restored, repair.reported)
    }

    private func lost(
        _ recorded: MarkedFile, _ cause: LostMark.Cause, _ restored: Mark, _ reported: Mark
    ) -> LostMark {
        LostMark(
            path: recorded.path, isDirectory: recorded.isDirectory, cause: cause,
            restored: restored, reported: reported)
    }
}
