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

/// Where lock files are if nobody says so: root and the owner of an area meet (safety invariant S8).
@Suite(.enabled(if: Privilege.isRoot, "needs root to become another user"), .serialized)
struct LockPlaceTests {
    /// Of nobody.
    private static let user: UInt32 = 54_321
    private let directory: TemporaryDirectory
    private var area: FilePath { directory.path.appending("area") }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("area")
        unsafe #expect(chmod(directory.path.string, 0o755) == 0)
        unsafe #expect(chown(area.string, Self.user, Self.user) == 0)
    }

    /// What a purge of the area is told, on a thread of root's or of its owner; nil: it may go on.
    private func asked(as user: UInt32, whileHeld: @escaping @Sendable () -> Void = {}) throws
        -> String?
    {
        let answers = Mutex<[Result<String?, any Error>]>([])
        let area = area
        let thread = try WorkerThread {
            let answer = Result<String?, any Error> {
                if user != 0 { try Privilege.becomeOnThisThread(user) }
                let root = try PathCalls.openDirectory(area)
                do {
                    let lock = try AreaLock.acquire(root: root.rawValue, path: area)
                    // A lock file, and not the directory itself for want of one.
                    let isHeld = lock.holdsRootDirectory
                    #expect(!isHeld)
                    whileHeld()
                    _ = consume lock
                    return nil
                } catch {
                    guard let error = error as? HeadroomError, error.code == .busy else {
                        throw error
                    }
                    return error.message
                }
            }
            answers.withLock { $0.append(answer) }
        }
        thread.join()
        return try #require(answers.withLock { $0.first }).get()
    }

    @Test(.tags(.s8e), arguments: [0, LockPlaceTests.user])
    func rootAndTheOwnerOfAnAreaMeet(first: UInt32) throws {
        let book = TemporaryBook(Self.user)
        let second = first == 0 ? Self.user : 0
        let refusals = Mutex<[String?]>([])
        let held = try asked(as: first) {
            let answer = Result { try asked(as: second) }
            refusals.withLock { $0.append(try? answer.get()) }
        }
        #expect(held == nil)
        let refusal = try #require(refusals.withLock { $0.first })
        #expect(refusal?.contains("is purging \(area)") == true, "\(refusal as Any)")
        // And when it is over, they do not.
        #expect(try asked(as: second) == nil)
        withExtendedLifetime(book) {}
    }

    @Test(.tags(.s8e)) func theOwnersPlacesAreRootsToo() throws {
        let roots = LockBook.Location.standard(areaOwner: Self.user)
        #expect(roots.first == LockBook.Location(path: "/run/headroom", owner: 0))
        let own = Mutex<[LockBook.Location]>([])
        let thread = try WorkerThread {
            guard (try? Privilege.becomeOnThisThread(Self.user)) != nil else { return }
            own.withLock { $0 = LockBook.Location.standard(areaOwner: Self.user) }
        }
        thread.join()
        let owners = own.withLock { $0 }
        #expect(owners.contains(LockBook.Location(path: "/tmp/headroom-54321", owner: Self.user)))
        #expect(Array(roots.dropFirst()) == owners)
        #expect(LockBook.Location.standard(areaOwner: 0).count == 1)
    }

    /// Takes the lock files away again that nobody else has.
    private final class TemporaryBook {
        private let path: FilePath

        init(_ user: UInt32) { path = FilePath("/tmp/headroom-\(user)") }

        deinit {
            let tree = Tree(root: "/tmp")
            // If it is not there, nothing has to go.
            try? tree.remove(TreePath(path.lastComponent?.string ?? ""))
        }
    }
}
#endif
