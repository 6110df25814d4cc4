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

struct InUseCheckTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("large", size: ByteCount(65_536))
        try directory.tree.file("small", text: "x")
    }

    private func status(_ name: String) throws -> FileStatus {
        try PathCalls.status(directory.path.appending(name))
    }

    private func hold(
        _ name: String, _ check: InUseCheck, purgeClass: PurgeableClass = .cache,
        parent: ParentGuard.State = .exclusive, expecting: FileStatus? = nil
    ) throws -> String {
        let descriptor = try directory.tree.open()
        let status = try expecting ?? status(name)
        let name = try #require(FileName(name))
        return name.withEntryName { entry in
            switch check.hold(
                entry, at: descriptor.rawValue, status: status, purgeClass: purgeClass,
                parent: parent, calls: LinuxCalls())
            {
            case .nothing: "nothing"
            case .lock: "lock"
            case .exclusive: "exclusive"
            case .database: "database"
            case .unchecked(let error): "unchecked \(error)"
            case .kept(let reason): reason.code.description
            }
        }
    }

    private func check() -> InUseCheck {
        InUseCheck(monitor: OpenFileMonitor(own: OwnDescriptors()))
    }

    @Test func unusedFilesAreHeldAsTheirSizeAndClassAsk() throws {
        let check = check()
        #expect(check.reasonToKeep(try status("large")) == nil)
        #expect(try hold("large", check) == "exclusive")
        #expect(try hold("small", check) == "nothing")
        #expect(try hold("small", check, purgeClass: .lastResort) == "exclusive")
        #expect(try hold("small", check, parent: .shared) == "lock")
        // The file's second: the first may be held until a child of another test calls exec.
        #expect(try Soon.holds { try hold("large", check, parent: .shared) == "exclusive" })
    }

    @Test(.tags(.s5d)) func anOpenFileIsKeptAndItsHolderNamed() throws {
        // Says so when it has its name.
        try directory.tree.file("word", text: "ready\n")
        let holder = try Holder.shell(
            "exec 9<\(directory.path)/small; exec tail -f \(directory.path)/word")
        let reason = try #require(check().reasonToKeep(try status("small")))
        #expect(reason == Reason(.inUse, "It is open in tail (\(holder.processID))."))
    }

    @Test func aLargeFileOpenedSinceTheSnapshotIsKept() throws {
        let check = check()
        let holder = try ChildProcess(
            "/bin/sh",
            ["-c", "exec 9<\(directory.path)/large; echo ready; exec sleep 1000"])
        try #require(try holder.readOutput(until: "ready"))
        #expect(try hold("large", check) == "in-use")
        withExtendedLifetime(holder) {}
    }

    @Test func aLeasedFileIsKeptInASharedDirectory() throws {
        let lease = try Lease.acquire(directory.path.appending("small"))
        #expect(try hold("small", check(), parent: .shared) == "leased")
        #expect(try holdDatabase("small", parent: .shared) == "leased")
        lease.release()
    }

    /// Not merely open: whoever waits is told to wait for a lease.
    @Test func aLeasedLargeFileIsSaidToBeLeased() throws {
        let lease = try Lease.acquire(directory.path.appending("large"))
        #expect(try hold("large", check(), parent: .shared) == "leased")
        lease.release()
        #expect(try hold("large", check(), parent: .shared) == "exclusive")
    }

    @Test("A lease that the purge itself had a moment ago keeps nothing")
    func ownLease() throws {
        let monitor = OpenFileMonitor(own: OwnDescriptors())
        let file = try Descriptor.openFile(directory.path.appending("large"))
        guard case .granted(let use) = ExclusiveUse.acquire(file) else {
            throw FixtureError("acquire", on: "large", details: "not granted")
        }
        // Another thread looks at the locks.
        let identity = try status("large").identity
        #expect(monitor.locks(notOlderThan: .zero).hasLease(on: identity))
        #expect(monitor.locks(notOlderThan: .zero).foreignLock(of: identity) == nil)
        _ = consume use
        #expect(try hold("large", InUseCheck(monitor: monitor)) == "exclusive")
    }

    @Test func aForeignFlockIsKept() throws {
        let holder = try ChildProcess(
            "/bin/sh",
            ["-c", "exec 9<\(directory.path)/small; flock -s 9; echo ready; exec sleep 1000"])
        try #require(try holder.readOutput(until: "ready"))
        let reason = check().reasonToKeep(try status("small"))
        #expect(reason?.code == .inUse || reason?.code == .leased)
    }

    @Test(
        .tags(.s5f), .enabled(if: Privilege.has(program: "python3"), "needs python3"),
        arguments: [false, true])
    func theHolderOfALeaseSurvivesOurCheck(isDatabase: Bool) throws {
        let check = check()
        let holder = try ChildProcess(
            "python3",
            [
                "-c",
                """
                import os,fcntl,signal
                f=os.open('\(directory.path)/large',os.O_RDWR)
                fcntl.fcntl(f,fcntl.F_SETLEASE,fcntl.F_WRLCK)
                print('ready',flush=True)
                signal.pause()
                """,
            ])
        try #require(try holder.readOutput(until: "ready"))
        // The table of locks is asked again where its last answer is older than 10 ms.
        Pause.milliseconds(11)
        #expect(try (isDatabase ? holdDatabase("large") : hold("large", check)) == "leased")
        holder.send(SIGTERM)
        // Ended by our signal, not by the one that breaks its lease.
        #expect(try holder.wait().signal == SIGTERM)
    }

    @Test(.enabled(if: Privilege.has(program: "sqlite3"), "needs the program sqlite3"))
    func aDatabaseInUseIsKeptAndAnotherIsHeld() throws {
        let path = directory.path.appending("d.db")
        #expect(try ChildProcess.run("sqlite3", [path.string, "create table t(x);"]).succeeded)
        _ = unsafe directory.path.appending("fifo").withPlatformString { unsafe mkfifo($0, 0o600) }
        #expect(try holdDatabase("d.db") == "database")
        let child = try ChildProcess(
            "sqlite3",
            [
                path.string, "pragma journal_mode=wal;", "insert into t values(1);",
                ".shell echo ready; cat \(directory.path)/fifo",
            ])
        try #require(try child.readOutput(until: "ready"))
        #expect(try holdDatabase("d.db") == "in-use")
        _ = try PathCalls.open(directory.path.appending("fifo"), O_WRONLY | O_CLOEXEC)
        #expect(try child.wait().succeeded)
        #expect(try holdDatabase("d.db") == "database")
    }

    private func holdDatabase(
        _ name: String, parent: ParentGuard.State = .exclusive, expecting: FileStatus? = nil
    ) throws -> String {
        let descriptor = try directory.tree.open()
        let status = try expecting ?? status(name)
        let check = check()
        return try #require(FileName(name)).withEntryName { entry in
            switch check.holdDatabase(
                entry, at: descriptor.rawValue, status: status, parent: parent,
                calls: LinuxCalls())
            {
            case .database: "database"
            case .kept(let reason): reason.code.description
            default: "other"
            }
        }
    }

    @Test func anotherFileOfTheNameIsKept() throws {
        let planned = try status("large")
        try directory.tree.file("other", size: ByteCount(65_536))
        let other = directory.path.appending("other").string
        unsafe #expect(rename(other, directory.path.appending("large").string) == 0)
        #expect(try hold("large", check(), expecting: planned) == "changed")
        #expect(try holdDatabase("large", expecting: planned) == "changed")
    }
}
#endif
