//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

struct LeaseTests {
    let directory: TemporaryDirectory
    let books: [LockBook.Location]

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("area/file", text: "x")
        try directory.tree.file("area/sub/file", text: "x")
        let owner = try PathCalls.status(directory.path).owner
        books = [LockBook.Location(path: directory.path.appending("book"), owner: owner)]
    }

    private var area: FilePath { directory.path.appending("area") }

    private func lease(_ path: FilePath, patience: Duration = .zero) throws -> Lease {
        try Lease.acquire(path, patience: patience, books: books)
    }

    private func holds(_ path: FilePath) throws -> Bool {
        guard let held = ItemGuard.acquire(try PathCalls.open(path, 0)) else { return false }
        _ = consume held
        return true
    }

    private func state(_ path: FilePath) throws -> ParentGuard.State {
        let descriptor = try PathCalls.openDirectory(path)
        let held = ParentGuard.acquire(descriptor.rawValue)
        return held.state
    }

    private func code(_ body: () throws -> Void) -> HeadroomError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? HeadroomError)?.code
        }
    }

    @Test(.tags(.s5a)) func aLeasedFileIsProbedAndKept() throws {
        let lease = try lease(area.appending("file"))
        #expect(try state(area) == .shared)
        #expect(try !holds(area.appending("file")))
        #expect(try holds(area.appending("sub")))
        lease.release()
        #expect(try state(area) == .exclusive)
    }

    @Test func aLeasedDirectoryIsKeptWhole() throws {
        let lease = try lease(area.appending("sub"))
        #expect(try state(area.appending("sub")) == .leasedWhole)
        #expect(try state(area) == .shared)
        lease.release()
        #expect(try state(area.appending("sub")) == .exclusive)
    }

    @Test func severalLeasesOfOneFileAreFine() throws {
        let first = try lease(area.appending("file"))
        let second = try lease(area.appending("file"))
        first.release()
        #expect(try state(area) == .shared)
        second.release()
        #expect(try state(area) == .exclusive)
    }

    @Test func aPurgerAtWorkIsNamedWhenPatienceEnds() throws {
        let descriptor = try PathCalls.openDirectory(area)
        let held = ParentGuard.acquire(descriptor.rawValue)
        let state = held.state
        #expect(state == .exclusive)
        do {
            try lease(area.appending("file"), patience: .milliseconds(20)).release()
            Issue.record("leased although a purger works there")
        } catch let error as HeadroomError {
            #expect(error.code == .busy)
            #if os(Linux)
            #expect(error.message.contains("(\(RunningProcess.own))"))
            #endif
        }
    }

    @Test func aPurgeAroundOrInsideADirectoryKeepsItFromBeingLeased() throws {
        for purged in [area, area.appending("sub"), directory.path] {
            let root = try PathCalls.openDirectory(purged)
            let lock = try AreaLock.acquire(root: root.rawValue, path: purged, books: books)
            #expect(code { try lease(area).release() } == .busy)
            let fallsBack = lock.holdsRootDirectory
            #expect(fallsBack == false)
        }
        try lease(area).release()
    }

    @Test func aLeasedDirectoryIsNoAreaAndNeitherIsOneInside() throws {
        let lease = try lease(area)
        for purged in [area, area.appending("sub")] {
            let root = try PathCalls.openDirectory(purged)
            #expect(
                code { _ = try AreaLock.acquire(root: root.rawValue, path: purged, books: books) }
                    == .busy)
        }
        // Around it, a purge goes on; the guard of the leased directory keeps it.
        let root = try PathCalls.openDirectory(directory.path)
        _ = try AreaLock.acquire(root: root.rawValue, path: directory.path, books: books)
        lease.release()
    }

    @Test func whatCannotBeLeasedIsRefused() throws {
        try directory.tree.symbolicLink("area/link", to: "file")
        #expect(code { try lease(area.appending("none")).release() } == .notFound)
        #expect(code { try lease(area.appending("link")).release() } == .invalid)
        #expect(code { try lease("/").release() } == .invalid)
        #expect(code { try lease("").release() } == .invalid)
        try directory.tree.file("area/.headroom-going-1-2/file")
        #expect(
            code { try lease(area.appending(".headroom-going-1-2").appending("file")).release() }
                == .notFound)
    }

    #if os(Linux)
    @Test func theCommandKeepsTheLease() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory(on: .memory)
            try directory.tree.file("area/file")
            let area = directory.path.appending("area")
            let lease = try Lease.acquire(area.appending("file"))
            // Succeeds if neither the file nor its directory can be locked exclusively.
            try lease.execute([
                "sh", "-c",
                "! flock -n -x \(area)/file true && ! flock -n -x \(area) true; "
                    + "r=$?; rm -r \(directory.path); exit $r",
            ])
        }
    }

    @Test func endingALeaseKeepsOurOwnLocksOnTheFile() throws {
        let file = area.appending("file")
        let own = try PathCalls.open(file, O_RDWR | O_CLOEXEC)
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        try #require(unsafe fcntl(own.rawValue, F_SETLK, &lock) == 0)
        try lease(file).release()
        let inode = try PathCalls.status(file).identity.inode
        #expect(LockTable.read().entries(inode: inode).map(\.kind) == [.posix])
        #expect(try state(area) == .exclusive)
        withExtendedLifetime(own.rawValue) {}
    }

    @Test func aLeaseEndsWithItsProcess() throws {
        let holder = try ChildProcess(
            "flock",
            [
                "-F", "-s", area.string, "flock", "-F", "-s", area.appending("file").string, "sh",
                "-c", "echo ready; exec sleep 1000",
            ])
        try #require(try holder.readOutput(until: "ready"))
        #expect(try state(area) == .shared)
    }
    #endif
}
