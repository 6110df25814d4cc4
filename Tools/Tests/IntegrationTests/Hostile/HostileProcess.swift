//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomTestSupport
import SystemPackage

/// Somebody else's process that is at work in a tree.
enum HostileProcess {
    static let isPossible =
        Privilege.has(program: "python3") && Privilege.has(program: "unshare")

    /// Runs Python code in a directory; it prints `ready` when it holds what the test is about.
    static func python(_ code: String, in directory: FilePath) throws -> ChildProcess {
        try ready(ChildProcess("python3", ["-c", start + code], directory: directory))
    }

    /// Waits until a process says that it is ready.
    static func ready(_ child: ChildProcess) throws -> ChildProcess {
        guard try child.readOutput(until: "ready") else {
            throw FixtureError(
                "start", on: "a holder",
                details: String(decoding: child.standardError, as: UTF8.self))
        }
        return child
    }

    /// Whether it still runs: a zombie, which can be signalled as well, does not.
    static func isRunning(_ child: ChildProcess) throws -> Bool {
        let status = try ChildProcess.run("ps", ["-o", "stat=", "-p", "\(child.processID)"])
        return status.succeeded && !status.output.hasPrefix("Z")
    }

    /// With a look at who started it: whoever races must not outlive a test that was killed.
    private static let start = """
        import fcntl, mmap, os, signal, sqlite3, sys, time
        parent = os.getppid()
        stop = []
        signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
        def goes_on():
            time.sleep(0.0003)
            return not stop and os.getppid() == parent

        """

    /// Holds files open, maps one, locks directories and is connected to databases.
    static let holder = """
        held = [open(p, 'rb') for p in
            (b'files/held', b'files/held-small', b'files/kept\\n\\xff', b'units/held/in/a',
             b'units/x\\xff/a')]
        with open('files/mapped', 'rb') as f:
            mapping = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
        for name in ('files/flocked', 'units/flocked'):
            held.append(os.open(name, os.O_RDONLY))
            fcntl.flock(held[-1], fcntl.LOCK_EX)
        for name in ('files/db/used.sqlite', 'units/sqlite/used.sqlite'):
            held.append(sqlite3.connect(name))
            held[-1].execute('pragma journal_mode=wal')
            held[-1].execute('create table t(x)')
            held[-1].execute("insert into t values ('precious')")
            held[-1].commit()
        print('ready', flush=True)
        while goes_on():
            time.sleep(0.2)
        """

    /// Exchanges directories for links out of the area and back, as fast as it can, until its parent
    /// ends it; each round ends with everything in its place.
    static let swapper = """
        print('ready', flush=True)
        number = 0
        while goes_on():
            place = 'files/swap/%d/' % (number % 8)
            number += 1
            try:
                os.rename(place + 'sub', place + 'aside')
            except OSError:
                continue
            try:
                os.symlink('../../../../outside/twin', place + 'sub')
                os.unlink(place + 'sub')
            except OSError:
                pass
            try:
                os.rename(place + 'aside', place + 'sub')
            except OSError:
                pass
        """

    /// Waits for a directory unit to be given its reserved name, and then writes into it, as a
    /// program does that had it as its working place. Says in the end which files it has made.
    static let writer = """
        unit = os.stat('units/written').st_ino
        print('ready', flush=True)
        made = 0
        while goes_on():
            for entry in os.scandir('units'):
                if not entry.name.startswith('.headroom-going-') or entry.inode() != unit:
                    continue
                try:
                    with open('units/%s/new%d' % (entry.name, made), 'xb') as f:
                        f.write(b'written while it went')
                    made += 1
                except OSError:
                    pass
        print('made %d.' % made, flush=True)
        """
}
#endif
