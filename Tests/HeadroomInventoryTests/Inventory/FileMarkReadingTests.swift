//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Whose attributes a scan reads: reading all would double its cost.
struct FileMarkReadingTests {
    private final class Source: MarkSource {
        let known: Set<UInt64>
        let flagged: UInt64
        let asked = Mutex<[String]>([])
        let grantors = GrantorTable()

        init(known: Set<UInt64>, flagged: UInt64) {
            self.known = known
            self.flagged = flagged
        }

        var knowsFiles: Bool { !known.isEmpty }

        func isKnown(inode: UInt64) -> Bool { known.contains(inode) }

        func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
            guard status.identity.inode == flagged else { return nil }
            return MarkReading(mark: .none, hasMarkedFiles: true, isDamaged: false)
        }

        func reading(
            ofFile name: EntryName, at directory: Int32, _ status: FileStatus
        ) -> MarkReading? {
            asked.withLock { $0.append(name.owned.text) }
            return MarkReading(
                mark: Mark(isPinned: true), hasMarkedFiles: false, isDamaged: false)
        }
    }

    @Test func readsFilesOfFlaggedDirectoriesAndThoseTheLedgerKnowsAndNoOthers() throws {
        let directory = try TemporaryDirectory()
        let tree = directory.tree
        for name in ["plain/a", "plain/known", "flagged/b", "flagged/below/c"] {
            try tree.file(TreePath(name), text: "x")
        }
        let source = Source(
            known: [try tree.status(of: "plain/known").identity.inode],
            flagged: try tree.status(of: "flagged").identity.inode)
        let inventory = try InventoryFixture.scan(directory.path) { $0.markSource = source }
        #expect(source.asked.withLock { $0.sorted() } == ["b", "known"])
        let pinned = InventoryFixture.entries(inventory).items.filter { $0.mark.isPinned == true }
        #expect(pinned.map(\.name.text).sorted() == ["b", "known"])
    }
}
