//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Directories below one that another user owns and that may only be searched, as in `/tmp` with libpam-tmpdir.
@Suite(.enabled(if: Privilege.isRoot, "needs root to become another user"))
struct UnreadableParentTests {
    private static let user: UInt32 = 65_534
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("shared/own")
        try directory.tree.setPermissions(0o711, of: "")
        try directory.tree.setPermissions(0o711, of: "shared")
        unsafe #expect(chown(directory.path.appending("shared/own").string, Self.user, 0) == 0)
    }

    private var marks: MarkStore { MarkStore(calls: LinuxCalls(), ledger: MemoryMarkLedger()) }

    /// The mark that holds for the shared directory, as the other user sees it.
    private func heldMark() throws -> Mark {
        let path = directory.path.appending("shared")
        let results = Mutex<[Result<Mark, any Error>]>([])
        let marks = marks
        let thread = try WorkerThread {
            let result = Result {
                try Privilege.becomeOnThisThread(Self.user)
                return try marks.effectiveMark(of: path)
            }
            results.withLock { $0.append(result) }
        }
        thread.join()
        return try #require(results.withLock { $0.first }).get()
    }

    @Test("A directory of another user that can't be read and has no mark protects nothing")
    func unmarked() throws {
        #expect(try heldMark() == .none)
    }

    @Test("A mark that can't be read protects")
    func marked() throws {
        try marks.update(directory.path.appending("shared")) { $0.isPinned = true }
        #expect(try heldMark().isPinned == true)
    }
}
#endif
