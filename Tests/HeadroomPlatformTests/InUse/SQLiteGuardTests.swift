//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import CHeadroomShims
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(.enabled(if: Privilege.has(program: "sqlite3"), "needs the program sqlite3"))
struct SQLiteGuardTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = unsafe directory.path.appending("fifo").withPlatformString { unsafe mkfifo($0, 0o600) }
    }

    private var database: FilePath { directory.path.appending("d.db") }
    private static let filler =
        "with recursive n(i) as (select 1 union all select i+1 from n where i<2000) "
        + "insert into t select i, hex(randomblob(100)) from n;"

    @discardableResult
    private func sql(_ statements: String...) throws -> String {
        let result = try ChildProcess.run("sqlite3", [database.string] + statements)
        #expect(result.succeeded, "\(result.errors)")
        return result.output
    }

    private func create(mode: String) throws {
        try sql("pragma journal_mode=\(mode);", "create table t(i, x);", Self.filler)
    }

    /// sqlite3 with a connection that stays as the statements have left it until `finish`.
    private func connection(_ statements: String...) throws -> ChildProcess {
        try Holder.started(
            ChildProcess(
                "sqlite3",
                [database.string] + statements
                    + [".shell echo ready; cat \(directory.path)/fifo"]))
    }

    private func finish(_ child: ChildProcess) throws {
        _ = try PathCalls.open(directory.path.appending("fifo"), O_WRONLY | O_CLOEXEC)
        try child.wait()
    }

    private func check() throws -> String {
        let file = try PathCalls.open(database, O_RDWR | O_CLOEXEC)
        switch SQLiteGuard.acquire(file) {
        case .granted(let held): return held.hasExclusiveUse ? "exclusive" : "locked"
        case .inUse: return "in use"
        case .unsupported(let error): return "unsupported \(error)"
        }
    }

    /// What each of the two checks alone says: the lock bytes, and the lease.
    private func checks() throws -> (locks: Bool, lease: Bool) {
        let file = try PathCalls.open(database, O_RDWR | O_CLOEXEC)
        let locks = hr_ofd_lock_conflicts(file.rawValue, Int16(F_WRLCK), 0x4000_0000, 512) == 1
        switch ExclusiveUse.acquire(file) {
        case .inUse: return (locks, true)
        case .granted: return (locks, false)
        case .unsupported: return (locks, false)
        }
    }

    @Test(arguments: ["delete", "wal"])
    func anUnusedDatabaseIsGranted(mode: String) throws {
        try create(mode: mode)
        #expect(try check() == "exclusive")
        #expect(try sql("select count(*) from t;") == "2000\n")
    }

    @Test func anOpenTransactionInRollbackModeIsSeenByBothChecks() throws {
        try create(mode: "delete")
        let child = try connection("begin immediate;", "insert into t values(1,2);")
        let seen = try checks()
        #expect(seen.locks && seen.lease)
        #expect(try check() == "in use")
        try finish(child)
    }

    @Test func anIdleConnectionInRollbackModeIsSeenByTheLeaseAlone() throws {
        try create(mode: "delete")
        let child = try connection("select count(*) from t;")
        let seen = try checks()
        #expect(!seen.locks && seen.lease)
        #expect(try check() == "in use")
        try finish(child)
    }

    @Test func anIdleConnectionInWALModeIsSeenByBothChecks() throws {
        try create(mode: "wal")
        let child = try connection("insert into t values(1,2);")
        #expect(OpenFileSnapshot.capture().contains(try Holder.identity(database)))
        let seen = try checks()
        #expect(seen.locks && seen.lease)
        #expect(try check() == "in use")
        try finish(child)
        #expect(try check() == "exclusive")
    }

    @Test func aDatabaseThatThisProgramHasOpenIsInUse() throws {
        try create(mode: "delete")
        let own = try PathCalls.open(database, O_RDWR | O_CLOEXEC)
        var lock = flock(
            l_type: Int16(F_RDLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0002, l_len: 510,
            l_pid: 0)
        try #require(unsafe fcntl(own.rawValue, F_SETLK, &lock) == 0)
        #expect(try check() == "in use")
        let inode = try Holder.identity(database).inode
        #expect(LockTable.read().entries(inode: inode).contains { $0.kind == .posix })
        withExtendedLifetime(own.rawValue) {}
    }

    @Test func theLockBytesAreHeldBesideTheLease() throws {
        try create(mode: "delete")
        let file = try PathCalls.open(database, O_RDWR | O_CLOEXEC)
        guard case .granted(let held) = SQLiteGuard.acquire(file) else {
            throw FixtureError("guard", on: database.string, details: "not granted")
        }
        let inode = try Holder.identity(database).inode
        let kinds = LockTable.read().entries(inode: inode).map(\.kind)
        #expect(kinds.contains(.openFileDescription))
        #expect(kinds.contains(.lease))
        _ = consume held
    }

    @Test func noTransactionStartsWhileTheGuardIsHeld() throws {
        try create(mode: "delete")
        let child = try ChildProcess.run("true")
        #expect(child.succeeded)
        let file = try PathCalls.open(database, O_RDWR | O_CLOEXEC)
        // The lock alone: with the lease as well the program would wait to open the file.
        #expect(hr_ofd_set_lock(file.rawValue, Int16(F_WRLCK), 0x4000_0000, 512) == 0)
        let result = try ChildProcess.run("sqlite3", [database.string, "select * from t;"])
        #expect(!result.succeeded)
        #expect(result.errors.contains("locked"))
    }

    /// The order of removal is main, -journal, -wal, -shm; after each step a new database of the
    /// same name must be sound and hold nothing of the old one.
    @Test(.tags(.s6e), arguments: ["delete", "wal"], [0, 1, 2, 3])
    func sidecarsWithoutADatabaseAreDiscarded(mode: String, removed: Int) throws {
        try create(mode: mode)
        // A connection killed in a transaction that has spilled leaves hot sidecars behind.
        let child = try connection(
            "pragma cache_size=5;", "pragma wal_autocheckpoint=0;", "begin;",
            "update t set x=hex(randomblob(120));", mode == "wal" ? "commit;" : "select 1;")
        child.send(SIGKILL)
        _ = try PathCalls.open(directory.path.appending("fifo"), O_WRONLY | O_CLOEXEC)
        try child.wait()
        let names = ["d.db", "d.db-journal", "d.db-wal", "d.db-shm"]
        let hot = directory.path.appending(mode == "wal" ? "d.db-wal" : "d.db-journal")
        let size = try PathCalls.status(hot).logicalSize
        try #require(size > ByteCount(16_384))
        for name in names.prefix(removed + 1) {
            _ = unsafe directory.path.appending(name).withPlatformString { unsafe unlink($0) }
        }
        try sql("create table fresh(a);", "insert into fresh values('new');")
        #expect(try sql("pragma integrity_check;") == "ok\n")
        #expect(try sql("select name from sqlite_master;") == "fresh\n")
        #expect(try sql("select a from fresh;") == "new\n")
    }
}
#endif
