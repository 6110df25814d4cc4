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

@Suite("R43: paths that are kept", .timeLimit(.minutes(10)))
struct KeptPathsTests {
    private let directory: TemporaryDirectory
    private var root: FilePath { directory.path.appending("tmp") }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("tmp/unit/main.js", text: "x")
        try directory.tree.file("tmp/unit/late.js", text: "x")
    }

    private var area: Area {
        Area(root: root, purgeClass: .temporary, unit: .entry, origin: "test")
    }

    private func survey(_ areas: [Area]? = nil, tmpfiles: String = "") throws -> KeptPaths {
        try directory.tree.file("tmpfiles.d/test.conf", text: tmpfiles)
        let context = TmpfilesContext(
            directories: [directory.path.appending("tmpfiles.d")],
            specifiers: ["b": "0123", "T": root.string])
        return .survey(
            below: [root], areas: areas ?? [area],
            exclusions: KeptPaths.exclusions([context], below: [root]))
    }

    private func reason(_ name: String, _ kept: KeptPaths) -> Reason? {
        kept.reason(forUnit: root.appending(name))
    }

    // MARK: - Processes and mounts

    @Test("Keeps the unit that a command line names, and says who names it")
    func keepsNamed() throws {
        let child = try Holder.started(
            ChildProcess(
                "/bin/sh",
                ["-c", "echo ready; kill -STOP $$", "sh", "\(root)/unit/main.js"]))
        let kept = try survey()
        let found = try #require(reason("unit", kept))
        #expect(found.code == .process)
        #expect(
            found.text
                == "It is used by sh (\(child.processID)): named on its command line.")
        #expect(reason("unit/late.js", kept) == nil)
    }

    @Test("Keeps nothing that no process works with")
    func keepsNothing() throws {
        #expect(try survey().entries == [])
    }

    @Test(
        "Keeps a mount source of another mount namespace with everything below it", .tags(.r43e),
        .enabled(if: Privilege.canMount, "needs root to mount"))
    func keepsMountSource() throws {
        try directory.tree.file("tmp/service/tmp/state", text: "x")
        try directory.tree.directory("mount")
        let child = try Holder.started(
            ChildProcess(
                "unshare",
                [
                    "-m", "--propagation", "private", "sh", "-c",
                    "mount --bind '\(root)/service/tmp' '\(directory.path)/mount' && "
                        + "exec sh -c 'echo ready; kill -STOP $$'",
                ]))
        let kept = try survey()
        for name in ["service", "service/tmp", "service/tmp/state"] {
            #expect(reason(name, kept)?.code == .mountSource)
        }
        #expect(reason("unit", kept) == nil)
        withExtendedLifetime(child) {}
    }

    // MARK: - Session files

    @Test(
        "Keeps files of display servers, sessions and services", .tags(.r43e),
        arguments: [
            ".X0-lock", ".X11-unix", ".ICE-unix", ".XIM-unix", ".font-unix", ".Test-unix",
            "xauth_AbCdEf", ".xauthAbCd", "hsperfdata_ann", "dbus-AbCd", "ssh-AbCd", "tmux-1000",
            "screens", "gpg-AbCd", "pulse-AbCd", ".esd-1000", "kde-ann", "ksocket-ann",
            "orbit-ann", "krb5cc_1000", "vscode-ipc-1234.sock", ".s.PGSQL.5432.lock",
            "x509up_u1000", "bt_u1000", "vt_u1000",
        ])
    func keepsSessionFiles(name: String) throws {
        try directory.tree.file(TreePath("tmp/\(name)"), text: "x")
        #expect(reason(name, try survey())?.code == .session)
    }

    @Test(
        "Keeps the private directories of services and snaps though no process is visible",
        .tags(.r43e),
        arguments: ["systemd-private-0123-web.service-XyZ", "snap-private-tmp", "snap.firefox"])
    func keepsPrivateDirectories(name: String) throws {
        try directory.tree.file(TreePath("tmp/\(name)/tmp/state"), text: "x")
        let kept = try survey()
        #expect(reason(name, kept)?.code == .mountSource)
        #expect(reason("\(name)/tmp/state", kept)?.code == .mountSource)
    }

    @Test("Keeps no session files in a cache, and no other names")
    func keepsOnlySessionFiles() throws {
        for name in [
            "ssh-AbCd", "app", "X0-lock", "job.dbus-x", "xauth", "snap.tar.gz", "kde-src.tgz",
        ] {
            try directory.tree.file(TreePath("tmp/\(name)"), text: "x")
        }
        let kept = try survey()
        #expect(kept.entries.map(\.path) == [root.appending("ssh-AbCd")])
        var cache = area
        cache.purgeClass = .cache
        #expect(try survey([cache]).entries == [])
    }

    @Test("Keeps files whose names contain the number of a running program, and says which")
    func keepsProcessNumbers() throws {
        let child = try Holder.shell("echo ready; exec sleep 1000")
        let number = child.processID
        let names = ["lu\(number)h7x2.tmp/image", "mutt-host-1-\(number)-17", "psql.\(number).sql"]
        for name in names { try directory.tree.file(TreePath("tmp/\(name)"), text: "x") }
        let kept = try survey()
        for name in names {
            let found = try #require(reason(name, kept), "\(name)")
            #expect(found.code == .process)
            #expect(found.text.hasSuffix("a running process: sleep (\(number))."), "\(found.text)")
        }
        withExtendedLifetime(child) {}
    }

    @Test("Keeps files that begin with the name of a running program", arguments: [false, true])
    func keepsProgramNames(isScript: Bool) throws {
        let script = directory.path.appending("sigil")
        try directory.tree.file("sigil", text: "echo ready; kill -STOP $$\n")
        let child =
            isScript
            ? try Holder.started(ChildProcess("/bin/sh", [script.string]))
            : try ChildProcess("bash", ["-c", "exec -a /opt/Sigil sleep 1000"])
        for name in ["Sigil-aBcDeF/book.xhtml", "sigil/x", "sigilium/x"] {
            try directory.tree.file(TreePath("tmp/\(name)"), text: "x")
        }
        // The child may not be the program yet.
        #expect(
            try Soon.holds {
                let text = reason("Sigil-aBcDeF", try survey())?.text ?? ""
                return text.hasPrefix("It is named after a running program: ")
            })
        let kept = try survey()
        #expect(reason("sigil", kept)?.code == .process)
        #expect(reason("sigilium", kept) == nil)
        withExtendedLifetime(child) {}
    }

    @Test("A number keeps nothing that is older than the process, another user's, or no process's")
    func otherNumbers() throws {
        let child = try Holder.shell("echo ready; exec sleep 1000")
        let number = child.processID
        let old = Timestamp.now().advanced(by: .seconds(-3_600))
        let names = [
            "old-\(number)", "zeros-0\(number)", "digits-\(number)5", "gone-4194999",
            "tmp.a\(number)b",
        ]
        for name in names { try directory.tree.file(TreePath("tmp/\(name)"), text: "x") }
        let tmp: TreePath = "tmp"
        try directory.tree.setTimes(of: tmp / TreePath(names[0]), accessed: old, modified: old)
        if Privilege.isRoot {
            let foreign = root.appending("foreign-\(number)")
            try directory.tree.file(tmp / TreePath("foreign-\(number)"), text: "x")
            try #require(try ChildProcess.run("chown", ["1", foreign.string]).succeeded)
        }
        #expect(try survey().entries == [])
        withExtendedLifetime(child) {}
    }

    // MARK: - tmpfiles.d

    @Test(
        "Honors x lines and lines that create a path with everything below, and X lines for the path alone",
        .tags(.r43f))
    func honorsExclusions() throws {
        for name in ["kept/a", "only/b", "job-1/c", "job-2/c", "own/d", "free/e"] {
            try directory.tree.file(TreePath("tmp/\(name)"), text: "x")
        }
        let kept = try survey(
            tmpfiles: """
                x \(root)/kept
                X %T/only
                x \(root)/job-*
                d \(root)/own 0755 - - 10d
                d \(root) 1777 - - 10d
                r \(root)/free
                x! \(root)/unit
                """)
        #expect(reason("kept/a", kept)?.code == .tmpfilesExcluded)
        #expect(reason("kept", kept)?.text.contains("test.conf:1") == true)
        #expect(reason("only", kept)?.code == .tmpfilesExcluded)
        #expect(reason("only/b", kept) == nil)
        #expect(reason("job-1/c", kept)?.code == .tmpfilesExcluded)
        #expect(reason("job-2", kept)?.code == .tmpfilesExcluded)
        #expect(reason("own/d", kept)?.text.contains("creates it") == true)
        #expect(reason("free/e", kept) == nil)
        #expect(reason("unit", kept) == nil)
    }

    @Test("An x line for the directory, or one around it, keeps everything in it", .tags(.r43f))
    func honorsExclusionOfRoot() throws {
        #expect(reason("unit", try survey(tmpfiles: "x \(root)"))?.code == .tmpfilesExcluded)
        #expect(
            reason("unit", try survey(tmpfiles: "x \(directory.path)"))?.code == .tmpfilesExcluded)
        #expect(try survey(tmpfiles: "X \(root)").entries == [])
    }

    @Test("A specifier that is not known stands for any name")
    func honorsUnknownSpecifier() throws {
        #expect(reason("unit", try survey(tmpfiles: "x \(root)/u%J"))?.code == .tmpfilesExcluded)
    }

    // MARK: - Locks

    @Test(
        "Keeps an area while a process holds its lock file, and names the holder", .tags(.r43f),
        arguments: ["fcntl.flock(f,fcntl.LOCK_EX)", "fcntl.lockf(f,fcntl.LOCK_EX)"])
    func keepsLockedArea(lock: String) throws {
        try directory.tree.file("lock")
        var area = area
        area.lockFiles = [directory.path.appending("lock"), directory.path.appending("missing")]
        #expect(try survey([area]).entries == [])
        let holder = try Holder.python("f=os.open('\(directory.path)/lock',os.O_RDWR)\n\(lock)")
        let kept = try survey([area])
        let found = try #require(reason("unit", kept))
        #expect(found.code == .areaLocked)
        #expect(found.text.contains("(\(holder.processID)) holds the lock "))
        #expect(found.text.contains("\(directory.path)/lock"))
    }

    @Test("A lock file that is only open keeps nothing")
    func ignoresOpenLockFile() throws {
        try directory.tree.file("lock")
        var area = area
        area.lockFiles = [directory.path.appending("lock")]
        let holder = try Holder.python("f=os.open('\(directory.path)/lock',os.O_RDWR)")
        #expect(try survey([area]).entries == [])
        withExtendedLifetime(holder) {}
    }

    // MARK: - Headroom's own files

    @Test("Headroom's own directories are no candidates", .tags(.r43h))
    func keepsOwnFiles() throws {
        try directory.tree.file("tmp/state/ledger", text: "x")
        let kept = KeptPaths.survey(
            below: [root], areas: [area], exclusions: [],
            ownDirectories: [root.appending("state")])
        #expect(reason("state", kept)?.code == .inUse)
        #expect(reason("state/ledger", kept)?.code == .inUse)
    }
}
#endif
