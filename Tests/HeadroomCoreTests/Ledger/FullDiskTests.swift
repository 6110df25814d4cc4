//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct FullDiskTests {
    private static let time = Timestamp(seconds: 1_795_000_000)

    enum Volume: String, CaseIterable, CustomTestStringConvertible {
        case tmpfs
        case ext4
        case btrfs

        var testDescription: String { rawValue }

        var isAvailable: Bool {
            switch self {
            case .tmpfs: Privilege.canMount
            case .ext4: Privilege.canMount(.ext4)
            case .btrfs: Privilege.canMount(.btrfs)
            }
        }

        func mount() throws -> MountedImage {
            switch self {
            case .tmpfs: try .tmpfs(size: .mebibytes(8), inodes: 40)
            case .ext4: try MountedImage(.ext4)
            case .btrfs: try MountedImage(.btrfs)
            }
        }
    }

    /// Uses up every byte and, where they are limited, every inode.
    private func fill(_ image: MountedImage) throws {
        try image.tree.directory("fill")
        var size = 1 << 20
        for number in 0..<100_000 {
            do {
                let contents = [UInt8](repeating: 1, count: size)
                try image.tree.file(TreePath("fill/\(number)"), contents: contents)
            } catch {
                // Ever smaller pieces, until not even an empty file fits.
                guard size > 0 else { return }
                size /= 2
            }
        }
    }

    private func open(_ image: MountedImage) -> Ledger {
        Ledger.open(directory: image.path.appending("state"), now: { Self.time })
    }

    private func receipt(notes: Int = 0) -> Receipt {
        var receipt = Receipt(
            id: "2026-11-21-7f3a", started: Self.time, requester: "test", target: "all")
        receipt.notes = .init(repeating: String(repeating: "n", count: 100), count: notes)
        return receipt
    }

    @Test(
        .tags(.s14b), .enabled(if: Privilege.canMount, "needs root, to mount file systems"),
        arguments: Volume.allCases.filter(\.isAvailable))
    func aPurgeIsWrittenDownWithNothingFree(volume: Volume) throws {
        let image = try volume.mount()
        #expect(open(image).notices == [])
        try fill(image)
        let ledger = open(image)
        #expect(ledger.notices == [])
        do {
            let session = ledger.beginPurge(receipt())
            #expect(session.isJournaled)
            for number in 0..<2_000 {
                session.record(
                    PurgeBatch(
                        removed: [.init(name: "cache", bytes: ByteCount(1), count: 1)],
                        removedItems: [
                            .init(path: FilePath("/cache/\(number)"), bytes: ByteCount(1))
                        ]))
            }
            #expect(session.notes == [])
            #expect(session.isJournaled)
            // The process dies here.
        }
        // A child that another test forks just now has the journal's lock until it calls exec.
        var interrupted: Receipt?
        _ = Soon.holds {
            interrupted = open(image).recoverInterrupted().first
            return interrupted != nil
        }
        let found = try #require(interrupted)
        #expect(found.removedCount == 2_000)
        #expect(found.removed.count == 1_000)
    }

    @Test(
        .tags(.s14b), .enabled(if: Privilege.canMount, "needs root, to mount file systems"),
        arguments: Volume.allCases.filter(\.isAvailable))
    func aReceiptWaitsInTheJournalForRoom(volume: Volume) throws {
        let image = try volume.mount()
        _ = open(image)
        try fill(image)
        // Longer than what is left of the last block of the receipts.
        let long = receipt(notes: 800)
        let done = open(image).beginPurge(receipt()).finish(long)
        #expect(done.notes.last?.contains("kept in the journal") == true)
        try image.tree.remove("fill/0")
        let ledger = open(image)
        #expect(ledger.recoverInterrupted() == [])
        #expect(try ledger.receipts(last: 9) == [long])
        #expect(ledger.beginPurge(receipt()).isJournaled)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root, to mount file systems"))
    func aFailedAppendOrCompactionLosesNothing() throws {
        let image = try Volume.tmpfs.mount()
        let fixture = try LogFixture(on: .at(image.path))
        let records = (0..<500).map { LogRecord.sample($0, length: 20) }
        try fixture.fill(records)
        let before = try fixture.bytes()
        try fill(image)
        let log = try fixture.log()
        try log.update()
        #expect(throws: Errno.noSpace) {
            try log.append([.sample(1), .sample(2, length: 1 << 20)])
        }
        #expect(throws: Errno.noSpace) { try log.compact() }
        #expect(try fixture.bytes() == before)
        #expect(log.recorder.records == records)
        #expect(try fixture.names() == ["test.log"])
        try image.tree.remove("fill/0")
        try log.append([.sample(3)], synchronizing: true)
        #expect(try fixture.read().0.records == records + [.sample(3)])
    }

    @Test(.tags(.s14c), .enabled(if: Privilege.canMount, "needs root, to mount file systems"))
    func aLedgerThatCannotBeMadeIsKeptInMemory() throws {
        let image = try Volume.tmpfs.mount()
        try fill(image)
        let ledger = open(image)
        #expect(!ledger.isPersistent)
        #expect(!ledger.notices.isEmpty)
        let done = ledger.beginPurge(receipt()).finish(receipt())
        #expect(done.notes.contains { $0.contains("no journal") })
    }

    @Test(.tags(.s14c), .enabled(if: Privilege.canMount, "needs root, to mount file systems"))
    func aJournalThatCannotBeWrittenIsNotedAndThePurgeGoesOn() throws {
        let image = try Volume.tmpfs.mount()
        _ = open(image)
        // A journal without blocks behind it, as a copied or restored one is.
        try image.tree.remove("state/journal")
        try image.tree.sparseFile("state/journal", size: .mebibytes(1))
        try fill(image)
        let session = open(image).beginPurge(receipt())
        #expect(!session.isJournaled)
        session.record(PurgeBatch())
        let done = session.finish(receipt())
        #expect(done.notes.contains { $0.contains("no journal") })
    }
}
#endif
