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

/// What a purge without privileges asks, and may do: S5, S6. Plans are made by root, so that nothing
/// is left out of them; a thread that has become another user purges.
@Suite(.enabled(if: Privilege.isRoot, "needs root to become another user"))
struct OtherUserTests {
    private static let user: UInt32 = 65_534
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws {
        fixture = try PurgeFixture()
        // The lock files of the purge lie beside the area.
        unsafe #expect(chmod(fixture.base.path.string, 0o777) == 0)
    }

    private func purge(
        _ unit: PurgeUnit, own: [TreePath],
        change: @Sendable (inout PurgeOptions) -> Void = { _ in }
    ) throws -> Receipt {
        for path in own + [""] {
            unsafe #expect(lchown(tree.path(path).string, Self.user, Self.user) == 0)
        }
        let plan = try fixture.plan(unit: unit)
        let results = Mutex<[Result<Receipt, any Error>]>([])
        let fixture = fixture
        try withoutActuallyEscaping(change) { change in
            let thread = try WorkerThread {
                let result = Result {
                    try Privilege.becomeOnThisThread(Self.user)
                    var options = fixture.options(unit: unit)
                    change(&options)
                    return try Purger.purge(plan, options: options)
                }
                results.withLock { $0.append(result) }
            }
            thread.join()
        }
        return try #require(results.withLock { $0.first }).get()
    }

    @Test(.tags(.s6f)) func aReadOnlyDirectoryOfOursGoes() throws {
        try tree.files(5, in: "d/sub")
        try tree.setPermissions(0o555, of: "d/sub")
        let receipt = try purge(.entry, own: ["d", "d/sub"])
        #expect(receipt.skipped == [])
        #expect(try tree.names() == [])
    }

    @Test(.tags(.s6f)) func aReadOnlyDirectoryThatStaysIsReadOnlyAgain() throws {
        try tree.files(5, in: "d/sub")
        try tree.setPermissions(0o555, of: "d/sub")
        let tree = tree
        let isDone = Flag()
        let receipt = try purge(.entry, own: ["d", "d/sub"]) { options in
            var calls = HookedCalls()
            calls.didRemove = { _ in
                guard !isDone.isSet,
                    let unit = try? tree.names().first(where: {
                        $0.text.hasPrefix(ReservedName.prefix)
                    })
                else { return }
                isDone.set()
                try? tree.file(TreePath([unit]) / "sub/new", text: "mine")
            }
            options.calls = calls
        }
        #expect(try tree.contents(of: "d/sub/new") == Array("mine".utf8))
        #expect(try tree.status(of: "d/sub").permissions & 0o777 == 0o555)
        #expect(receipt.reason("d") == .changed)
    }

    /// Of a unit with something that only others may remove, all stays.
    @Test(.tags(.s6a)) func aDirectoryOfAnotherKeepsTheUnitWhole() throws {
        try tree.file("d/theirs/a", text: "x")
        try tree.files(5, in: "d/ours/deep")
        let receipt = try purge(.entry, own: ["d", "d/ours", "d/ours/deep"])
        #expect(try tree.names(in: "d/ours/deep").count == 5)
        #expect(receipt.reason("d") == .notPermitted)
        #expect(!receipt.notes.contains { $0.contains("had gone when") })
    }

    @Test func anEntryOfAnotherInAStickyDirectoryKeepsTheUnitWhole() throws {
        try tree.file("d/theirs/a", text: "x")
        try tree.setPermissions(0o1777, of: "d/theirs")
        try tree.files(5, in: "d/ours/deep")
        let receipt = try purge(.entry, own: ["d", "d/ours", "d/ours/deep"])
        #expect(try tree.names(in: "d/ours/deep").count == 5)
        #expect(receipt.reason("d") == .foreignOwner)
    }

    /// Its descriptors cannot be seen: the table of locks alone tells of it.
    @Test(.tags(.s5g)) func aFileLockedByAnotherUsersProcessStays() throws {
        try tree.file("d/a", text: "x")
        try tree.file("d/b", text: "x")
        // Taken by the process that stays: in a PID namespace the table does not list a lock whose
        // taker is gone, though somebody still has its descriptor.
        let holder = try Holder.shell(
            "exec flock -F -s \(tree.path("d/a").string) sh -c 'echo ready; exec sleep 1000'")
        let receipt = try purge(.file, own: ["d", "d/a", "d/b"])
        #expect(tree.exists("d/a"))
        #expect(!tree.exists("d/b"))
        #expect(receipt.reason("d/a") == .leased)
        withExtendedLifetime(holder) {}
    }
}
#endif
