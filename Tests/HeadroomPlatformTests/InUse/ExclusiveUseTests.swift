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

struct ExclusiveUseTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.tree.file("file", text: "ready\n")
    }

    private var file: FilePath { directory.path.appending("file") }

    private func check(_ path: FilePath) throws -> String {
        switch ExclusiveUse.acquire(try PathCalls.open(path, O_RDONLY | O_CLOEXEC)) {
        case .granted(let use): use.isUncontested ? "granted" : "contested"
        case .inUse: "in use"
        case .unsupported(let error, _): "unsupported \(error)"
        }
    }

    @Test func isGrantedForAnUnusedFile() throws {
        #expect(try check(file) == "granted")
        // And released again with the value.
        #expect(try Soon.holds { try check(file) == "granted" })
    }

    @Test func isRefusedForAFileHeldOpenAndTheHolderSurvives() throws {
        let holder = try Holder.started(ChildProcess("tail", ["-f", file.string]))
        #expect(try check(file) == "in use")
        #expect(kill(holder.processID, 0) == 0)
        #expect(try Self.state(of: holder) != "Z")
    }

    @Test(.tags(.s5f)) func anOpenerWaitsUntilTheFileIsReleased() throws {
        var opener: ChildProcess?
        do {
            guard
                case .granted(let use) = ExclusiveUse.acquire(
                    try PathCalls.open(file, O_RDONLY | O_CLOEXEC))
            else { throw FixtureError("lease", on: file.string, details: "not granted") }
            opener = try ChildProcess("cat", [file.string])
            // The kernel tells us, and we are still here: the signal was redirected.
            while use.isUncontested { Pause.milliseconds(1) }
            _ = unsafe file.withPlatformString { unsafe unlink($0) }
        }
        #expect(try opener?.wait().output == "ready\n")
    }

    @Test(.enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func isRefusedForAFileThatIsOnlyMapped() throws {
        let holder = try Holder.python(
            """
            f=os.open('\(file)',os.O_RDONLY)
            m=mmap.mmap(f,0,mmap.MAP_PRIVATE,mmap.PROT_READ)
            os.closerange(3,100)
            """)
        #expect(try check(file) == "in use")
        withExtendedLifetime(holder) {}
    }

    @Test func isRefusedForAFileThatThisProgramHasOpen() throws {
        let own = try PathCalls.open(file, O_RDONLY | O_CLOEXEC)
        #expect(try check(file) == "in use")
        withExtendedLifetime(own.rawValue) {}
    }

    @Test(.enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func theLockTableShowsLeasesSoThatNobodyIsKilled() throws {
        let holder = try Holder.python(
            """
            f=os.open('\(file)',os.O_RDWR)
            fcntl.fcntl(f,fcntl.F_SETLEASE,fcntl.F_WRLCK)
            """)
        #expect(LockTable.read().hasLease(on: try Holder.identity(file)))
        #expect(try Self.state(of: holder) != "Z")
    }

    @Test func lookingAtAFileDoesNotDropOurLocksOnIt() throws {
        let own = try PathCalls.open(file, O_RDWR | O_CLOEXEC)
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        try #require(unsafe fcntl(own.rawValue, F_SETLK, &lock) == 0)
        #expect(try check(file) == "in use")
        let inode = try Holder.identity(file).inode
        #expect(LockTable.read().entries(inode: inode).contains { $0.kind == .posix })
        withExtendedLifetime(own.rawValue) {}
    }

    private static func state(of child: ChildProcess) throws -> String {
        let stat = try PathCalls.open(
            FilePath("/proc/\(child.processID)/stat"), O_RDONLY)
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = unsafe read(stat.rawValue, &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return String(text.split(separator: ")").last?.split(separator: " ").first ?? "")
    }
}
#endif
