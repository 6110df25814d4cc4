//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import Testing

struct MarkAttributeTests {
    @Test(arguments: [
        MarkAttribute(),
        MarkAttribute(mark: Mark(purgeClass: .lastResort, importance: 80)),
        MarkAttribute(mark: Mark(isPinned: true, isExcludedFromBackup: true)),
        MarkAttribute(mark: Mark(isPinned: false, isExcludedFromBackup: false)),
        MarkAttribute(mark: Mark(purgeClass: .temporary, importance: 0), hasMarkedFiles: true),
        MarkAttribute(hasMarkedFiles: true),
    ])
    func readsWhatItWrote(_ attribute: MarkAttribute) {
        #expect(MarkAttribute(decoding: attribute.encoded) == attribute)
    }

    @Test func isTextThatAPersonCanRead() {
        let attribute = MarkAttribute(
            mark: Mark(
                purgeClass: .lastResort, isPinned: true, importance: 80, isExcludedFromBackup: true),
            hasMarkedFiles: true)
        #expect(
            String(decoding: attribute.encoded, as: UTF8.self)
                == "1 class=lastResort pinned importance=80 nobackup files")
    }

    @Test(arguments: [
        "", " ", "2", "2 class=cache", "1 ", "1  pinned", "1 class=essential",
        "1 class=last-resort",
        "1 class=", "1 class=cache class=cache", "1 pinned unpinned", "1 pinned pinned",
        "1 importance=101", "1 importance=-1", "1 importance=+5", "1 importance=007",
        "1 importance=1 importance=2", "1 nobackup backup", "1 files files", "1 unheard-of",
        "1 class=cache\n", "1\0", "pinned", "1\tpinned",
    ])
    func protectsWhatItDoesNotUnderstand(_ text: String) {
        let attribute = MarkAttribute(decoding: Array(text.utf8))
        #expect(attribute.isDamaged)
        #expect(attribute.mark == Mark(isPinned: true))
        #expect(attribute.hasMarkedFiles)
    }

    @Test func protectsOnBytesThatAreNoTextAndOnLongValues() {
        #expect(MarkAttribute(decoding: [0x31, 0x20, 0xFF]).isDamaged)
        #expect(MarkAttribute(decoding: [0x31] + [UInt8](repeating: 0x20, count: 300)).isDamaged)
    }
}

struct MarkRepairTests {
    private let key = FileKey(fileSystemID: 1, inode: 2, birth: 3)
    private let full = Mark(
        purgeClass: .cache, isPinned: true, importance: 10, isExcludedFromBackup: true)

    @Test func putsAllBackOnTheSameFile() {
        let repair = MarkRepair(recorded: full, of: key, found: key, present: .none)
        #expect(repair.restored == full)
        #expect(repair.reported == .none)
    }

    @Test func putsOnlyProtectionBackOnANewFileAtTheOldPath() {
        let other = FileKey(fileSystemID: 1, inode: 2, birth: 4)
        let repair = MarkRepair(recorded: full, of: key, found: other, present: .none)
        #expect(repair.restored == Mark(isPinned: true, isExcludedFromBackup: true))
        #expect(repair.reported == Mark(purgeClass: .cache, importance: 10))
    }

    @Test func trustsOurOwnSave() {
        let other = FileKey(fileSystemID: 1, inode: 9, birth: 9)
        let repair = MarkRepair(
            recorded: full, of: key, found: other, present: .none, replacedBySave: true)
        #expect(repair.restored == full)
    }

    @Test(.tags(.r9d)) func doesNotTakeAnInodeWithoutBirthTimeForTheSameFile() {
        let key = FileKey(fileSystemID: 1, inode: 2, birth: 0)
        let repair = MarkRepair(recorded: full, of: key, found: key, present: .none)
        #expect(repair.restored.purgeClass == nil)
        #expect(repair.restored.isPinned == true)
        #expect(Mark.none.completed(by: full, of: key).purgeClass == nil)
    }

    @Test func leavesAloneWhatTheFileCarriesNow() {
        let present = Mark(purgeClass: .lastResort, isPinned: false)
        let repair = MarkRepair(recorded: full, of: key, found: key, present: present)
        #expect(repair.restored == Mark(importance: 10, isExcludedFromBackup: true))
    }
}
