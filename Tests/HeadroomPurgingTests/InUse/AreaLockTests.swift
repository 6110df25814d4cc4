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
import SystemPackage
import Testing

struct AreaLockTests {
    let directory: TemporaryDirectory
    let books: [LockBook.Location]
    private let owner: UInt32

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("a/b/c")
        try directory.tree.directory("d")
        owner = try PathCalls.status(directory.path).owner
        books = [LockBook.Location(path: directory.path.appending("book"), owner: owner)]
    }

    private func path(_ name: String) -> FilePath { directory.path.appending(name) }

    private func lock(_ path: FilePath) throws -> AreaLock {
        let root = try PathCalls.openDirectory(path)
        return try AreaLock.acquire(root: root.rawValue, path: path, books: books)
    }

    private func refusal(_ path: FilePath) -> String? {
        do {
            _ = try lock(path)
            return nil
        } catch {
            return (error as? HeadroomError)?.code == .busy
                ? (error as? HeadroomError)?.message : "\(error)"
        }
    }

    @Test(.tags(.s8a), arguments: ["a/b", "a", "a/b/c"])
    func sameNestedAndEnclosingAreasRefuseEachOther(other: String) throws {
        let held = try lock(path("a/b"))
        let message = try #require(refusal(path(other)))
        #expect(message.contains("(\(getpid())) is purging \(path("a/b"))"), "\(message)")
        let fallsBack = held.holdsRootDirectory
        #expect(fallsBack == false)
    }

    @Test(.tags(.s8a)) func areasBesideEachOtherDoNot() throws {
        let held = try lock(path("a/b"))
        #expect(refusal(path("d")) == nil)
        let fallsBack = held.holdsRootDirectory
        #expect(fallsBack == false)
    }

    @Test func aReleasedAreaIsFree() throws {
        do { _ = try lock(path("a")) }
        #expect(refusal(path("a/b")) == nil)
    }

    @Test(.tags(.s8c)) func nothingIsHeldAfterARefusal() throws {
        let held = try lock(path("a"))
        #expect(refusal(path("a/b")) != nil)
        let fallsBack = held.holdsRootDirectory
        #expect(fallsBack == false)
        // The refused one had locked its own root already.
        let inode = try PathCalls.status(path("a/b")).identity.inode
        let file = path("book").appending(
            "\(String(try PathCalls.status(path("a/b")).identity.device, radix: 16))-"
                + "\(String(inode, radix: 16)).lock")
        let descriptor = try PathCalls.open(file, O_RDWR | O_CLOEXEC)
        #expect(FileLock.tryExclusive(descriptor.rawValue) == .granted)
    }

    @Test(.tags(.s8a, .s8c)) func anotherProcessIsNamed() throws {
        do { _ = try lock(path("a")) }
        let identity = try PathCalls.status(path("a")).identity
        let file = path("book").appending(
            "\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16)).lock")
        let holder = try ChildProcess(
            "flock", ["-F", "-x", file.string, "sh", "-c", "echo ready; exec sleep 1000"])
        try #require(try holder.readOutput(until: "ready"))
        // The file still says that we hold it, which is not true: but we are alive, so a lock
        // that is released must not leave that behind.
        let message = try #require(refusal(path("a")))
        #expect(message.contains("(\(holder.processID))"), "\(message)")
    }

    @Test(.tags(.s8b), .enabled(if: Privilege.canMount, "needs root for a bind mount"))
    func bindMountAliasesRefuseEachOther() throws {
        try directory.tree.directory("x/alias")
        let bind = try MountedImage.bind(path("a/b"), at: path("x/alias"))
        do {
            let held = try lock(path("x/alias"))
            #expect(refusal(path("a/b")) != nil)
            #expect(refusal(path("a/b/c")) != nil)
            // It encloses the alias only by the directory's other place.
            #expect(refusal(path("a")) != nil)
            let fallsBack = held.holdsRootDirectory
            #expect(fallsBack == false)
        }
        do {
            let held = try lock(path("a"))
            #expect(refusal(path("x/alias")) != nil)
            #expect(refusal(path("x/alias/c")) != nil)
            let fallsBack = held.holdsRootDirectory
            #expect(fallsBack == false)
        }
        withExtendedLifetime(bind) {}
    }

    @Test(.tags(.s8d)) func withoutALockFileTheAreaItselfIsLocked() throws {
        let nowhere = [LockBook.Location(path: path("none/book"), owner: owner)]
        let root = try PathCalls.openDirectory(path("a"))
        let held = try AreaLock.acquire(root: root.rawValue, path: path("a"), books: nowhere)
        let fallsBack = held.holdsRootDirectory
        #expect(fallsBack == true)
        do {
            _ = try AreaLock.acquire(root: root.rawValue, path: path("a"), books: nowhere)
            Issue.record("locked twice")
        } catch {
            #expect(error.code == .busy)
        }
    }

    @Test func aBookThatOthersMayWriteIsNotUsed() throws {
        let made = try LockBook.open(books[0])
        unsafe #expect(chmod(path("book").string, 0o777) == 0)
        #expect(throws: Errno.notPermitted) { _ = try LockBook.open(books[0]) }
        _ = consume made
    }

    @Test func aBookThatIsALinkIsNotUsed() throws {
        try directory.tree.directory("other")
        try directory.tree.setPermissions(0o700, of: "other")
        try directory.tree.symbolicLink("book", to: "other")
        #expect(throws: Errno.self) { _ = try LockBook.open(books[0]) }
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root for chown"))
    func aBookOfAnotherIsNotUsed() throws {
        _ = try LockBook.open(books[0])
        unsafe #expect(chown(path("book").string, 12_345, 12_345) == 0)
        #expect(throws: Errno.notPermitted) { _ = try LockBook.open(books[0]) }
    }

    /// What somebody has put in the place of a lock file is neither locked nor written.
    @Test(.tags(.s8d), arguments: ["hard link", "link", "fifo", "another's"])
    func whatIsNoLockFileIsNotUsed(what: String) throws {
        try #require(what != "another's" || Privilege.isRoot, "needs root for chown")
        try directory.tree.file("precious", text: "keep me")
        _ = try LockBook.open(books[0])
        let identity = try PathCalls.status(path("a")).identity
        let name = "\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16)).lock"
        let place = TreePath("book/\(name)")
        switch what {
        case "hard link": try directory.tree.hardLink(place, to: "precious")
        case "link": try directory.tree.symbolicLink(place, to: "../precious")
        case "fifo": try directory.tree.fifo(place)
        default:
            try directory.tree.file(place)
            unsafe #expect(chown(path("book/\(name)").string, 12_345, 12_345) == 0)
        }
        let root = try PathCalls.openDirectory(path("a"))
        let held = try AreaLock.acquire(root: root.rawValue, path: path("a"), books: books)
        let fallsBack = held.holdsRootDirectory
        #expect(fallsBack == true)
        #expect(try directory.tree.contents(of: "precious") == Array("keep me".utf8))
    }
}
#endif
