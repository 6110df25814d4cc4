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

#if arch(x86_64) || arch(arm64)
/// Where shared locks alone are granted, as NFS does for a directory, nobody can tell what is leased
/// (safety invariant S5). The kernel itself refuses the others here, by a filter of system calls.
@Suite(
    .enabled(
        if: PurgeDriverProgram.path != nil && SharedLocks.canBeMade,
        "needs the program PurgeDriver, python3 and seccomp(2)"))
struct SharedLockTests {
    private let fixture: PurgeFixture

    init() throws { fixture = try PurgeFixture() }

    private func purge(_ unit: String, filter: Bool) throws -> ChildResult {
        let driver = try #require(PurgeDriverProgram.path)
        let arguments = [
            driver, fixture.root.string, unit, "none", fixture.base.path.appending("book").string,
        ]
        return try filter
            ? ChildProcess.run(Holder.python, ["-c", SharedLocks.code] + arguments)
            : ChildProcess.run(driver, Array(arguments.dropFirst()))
    }

    @Test(.tags(.s5i), arguments: ["file", "entry"])
    func nothingGoesWhereExclusiveLocksAreNotGranted(unit: String) throws {
        for name in ["atTheTop", "d/below", "d/deep/below"] {
            try fixture.tree.file(TreePath(name), size: .kilobytes(100))
        }
        let result = try purge(unit, filter: true)
        #expect(result.exitCode == 1, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count >= (unit == "file" ? 3 : 2), "\(result)")
        #expect(lines.allSatisfy { $0.contains("does not tell whether something is leased") })
        for name in ["atTheTop", "d/below", "d/deep/below"] {
            #expect(fixture.tree.exists(TreePath(name)))
        }
        // With all locks it does.
        #expect(try purge(unit, filter: false).exitCode == 0)
        #expect(try fixture.tree.names() == [])
    }
}

/// Starts a program that is given `EBADF` for each exclusive flock(2), which NFS answers for what is not
/// open for writing.
private enum SharedLocks {
    #if arch(x86_64)
    private static let (architecture, flock) = (0xC000_003E, 73)
    #else
    private static let (architecture, flock) = (0xC000_00B7, 32)
    #endif

    static let code = """
        import ctypes, os, struct, sys
        def line(code, yes, no, value): return struct.pack("HBBI", code, yes, no, value)
        load, equal, answer = 0x20, 0x15, 0x06
        lines = [
            line(load, 0, 0, 4), line(equal, 0, 5, \(architecture)),
            line(load, 0, 0, 0), line(equal, 0, 3, \(flock)),
            line(load, 0, 0, 24), line(equal, 0, 1, 6),  # LOCK_EX | LOCK_NB
            line(answer, 0, 0, 0x00050000 | 9), line(answer, 0, 0, 0x7fff0000)]
        code = b"".join(lines)
        kept = ctypes.create_string_buffer(code, len(code))
        class Filter(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
        libc = ctypes.CDLL(None, use_errno=True)
        filter = Filter(len(lines), ctypes.cast(kept, ctypes.c_void_p))
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(filter), 0, 0):
            sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
        os.execv(sys.argv[1], sys.argv[1:])
        """

    static let canBeMade: Bool = {
        guard Privilege.has(program: "python3") else { return false }
        // Whatever the reason is: then it cannot be made.
        return (try? ChildProcess.run(Holder.python, ["-c", code, "/bin/true"]))?.succeeded == true
    }()
}
#endif
#endif
