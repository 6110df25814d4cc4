//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Two threads of one purge: together they keep what each of them would keep alone.
struct PurgeCrewTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func fill(_ directories: Int, _ files: Int, in parent: TreePath = "") throws {
        for index in 0..<directories {
            try tree.files(files, in: parent / "d\(index)", size: ByteCount(4096))
        }
    }

    private func purge(_ change: (inout PurgeOptions, inout HookedCalls) -> Void) throws -> Receipt
    {
        try fixture.purge { options in
            options.threads = 2
            var calls = HookedCalls()
            change(&options, &calls)
            options.calls = calls
        }
    }

    // MARK: S10

    @Test(.tags(.s10b)) func togetherTheyRemoveNoMoreBytesThanPlanned() throws {
        try fill(40, 80)
        let receipt = try purge { _, calls in
            // As if each had grown sixteenfold without a change of its ctime.
            calls.adjust = { name, status in
                if status.type == .regular { status.allocatedSize = ByteCount(65_536) }
            }
        }
        let bytes: Int64 = 40 * 80 * 4096
        let limit = bytes + bytes / 50 + (1 << 20)
        #expect(receipt.expected.bytes <= limit)
        // What is left of the limit is less than a file for each thread.
        #expect(receipt.expected.bytes > limit - 3 * 65_536)
        #expect(receipt.skipped.contains { $0.reason.code == .breaker })
    }

    @Test(.tags(.s10a)) func theFailuresOfAllCountTogetherAndStopAll() throws {
        try fill(80, 50)
        let receipt = try purge { options, calls in
            options.breaker.minimum = 1_000
            calls.willRemove = { (_, _) throws(Errno) in throw .ioError }
        }
        #expect(receipt.outcome == .broken)
        // Told once a directory, so each may be one behind.
        #expect(receipt.skippedCount >= 900)
        #expect(receipt.skippedCount <= 1_200)
    }

    @Test func everythingPlannedGoesAndIsCountedOnce() throws {
        try fill(50, 60)
        try tree.files(500, in: "")
        let receipt = try purge { _, _ in }
        #expect(receipt.skipped == [])
        #expect(receipt.outcome == .completed)
        #expect(try tree.names() == [])
        #expect(receipt.removedCount + receipt.emptiedCount == 50 * 60 + 500 + 50)
        #expect(receipt.perClass.map(\.count) == [receipt.removedCount])
        #expect(receipt.perArea.map(\.count) == [receipt.removedCount])
        #expect(receipt.perArea.map(\.bytes) == [receipt.expected])
    }

    // MARK: S5

    @Test(.timeLimit(.minutes(10)))
    func theRootStaysLockedWhileItsFilesGo() throws {
        for index in 0..<1_000 { try tree.file("r\(index)", text: "x") }
        try fill(40, 40)
        let root = fixture.root
        let othersWork = Flag()
        let granted = Atomic<Int>(0)
        let receipt = try purge { _, calls in
            calls.willRemove = { (name, isDirectory) throws(Errno) in
                guard name.text.hasPrefix("r"), !isDirectory else { return othersWork.set() }
                // The other thread has entered the root by now, on its way to its own directory.
                for _ in 0..<5_000 where !othersWork.isSet { usleep(1_000) }
                let directory = unsafe open(root.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                // As a lease on one of the files would.
                if flock(directory, LOCK_SH | LOCK_NB) == 0 { granted.add(1, ordering: .relaxed) }
                close(directory)
            }
        }
        let leases = granted.load(ordering: .relaxed)
        #expect(othersWork.isSet)
        #expect(leases == 0)
        #expect(receipt.skipped == [])
    }

    @Test func aForeignLockOnACommonParentHoldsForBoth() throws {
        try fill(40, 50)
        try tree.files(300, in: "held")
        try fill(20, 50, in: "held")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root)/held; flock -x 9; echo ready; exec sleep 1000")
        let receipt = try purge { _, _ in }
        #expect(try tree.names(in: "held").count == 320)
        for index in 0..<20 { #expect(try tree.names(in: "held/d\(index)").count == 50) }
        #expect(try tree.names().map(\.text) == ["held"])
        #expect(receipt.removedCount + receipt.emptiedCount == 40 * 51)
        withExtendedLifetime(holder) {}
    }

    @Test func aLeaseInACommonParentKeepsItsFileAlone() throws {
        try tree.files(1_000, in: "common")
        try fill(40, 50, in: "common")
        try tree.file("common/leased", text: "x")
        try tree.file("common/d7/leased", text: "x")
        let books = fixture.options().lockBooks
        let first = try Lease.acquire(
            tree.path("common/leased"), patience: .zero, books: books)
        let second = try Lease.acquire(
            tree.path("common/d7/leased"), patience: .zero, books: books)
        let receipt = try purge { _, _ in }
        #expect(
            receipt.skipped.allSatisfy { ["leased", "d7", "common"].contains($0.path.lastName) })
        #expect(try tree.names(in: "common").map(\.text).sorted() == ["d7", "leased"])
        #expect(try tree.names(in: "common/d7").map(\.text) == ["leased"])
        first.release()
        second.release()
    }
}

extension FilePath {
    fileprivate var lastName: String { lastComponent?.string ?? "" }
}
#endif
