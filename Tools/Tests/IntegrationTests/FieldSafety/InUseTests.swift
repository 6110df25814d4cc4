//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Files that running programs need although none of them is open.
@Suite(
    "R43: files that running programs need", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct InUseTests {
    private let home = FieldSandbox.home
    private static let python: Bool = Privilege.has(program: "python3")

    @Test(
        "Keeps the private /tmp of a service, which is mounted in that service's namespace",
        .tags(.r43e))
    func keepsPrivateTemporaryDirectory() throws {
        let sandbox = try FieldSandbox()
        let name = "systemd-private-00112233445566778899aabbccddeeff-web.service-AbC123"
        for top in ["/tmp", "/var/tmp"] {
            sandbox.directory("\(top)/\(name)/tmp", age: .days(20), owner: .root)
            sandbox.prepare("chmod 700 \(top)/\(name); chmod 1777 \(top)/\(name)/tmp")
        }
        // Without the name of a service: only the mount tells.
        sandbox.file("/tmp/job-root/tmp/state", age: .days(20), owner: .root)
        sandbox.file("/tmp/\(name)/tmp/state", age: .days(20), owner: .root)
        sandbox.file("/tmp/nobody/f", age: .days(20), owner: .root)
        try sandbox.settle()
        try sandbox.start(
            """
            exec unshare --mount --propagation private bash -c '
                mount --bind /tmp/job-root/tmp /mnt
                mount --bind /var/tmp/\(name)/tmp /var/tmp
                mount --bind /tmp/\(name)/tmp /tmp
                echo ready
                exec sleep infinity'
            """, as: .root)
        let planned = try sandbox.headroom("plan", "--all", "--json", as: .root).plannedPaths()
        #expect(!planned.contains { $0.contains(name) || $0.hasPrefix("/tmp/job-root") })
        try sandbox.headroom("purge", "--all", "--yes", as: .root)
        try sandbox.expectKept(
            "/tmp/\(name)/tmp/state", "/var/tmp/\(name)/tmp", "/tmp/job-root/tmp/state")
        try sandbox.expectPurged("/tmp/nobody/f")
    }

    @Test("Keeps the locks, sockets and cookies of a display server and a session", .tags(.r43e))
    func keepsSessionFiles() throws {
        let sandbox = try FieldSandbox()
        let sockets = [".X11-unix", ".ICE-unix", ".XIM-unix", ".font-unix"]
        for name in sockets {
            sandbox.directory("/tmp/\(name)", age: .days(20), owner: .root)
            sandbox.prepare("chmod 1777 /tmp/\(name)")
        }
        let files = [
            "/tmp/xauth_AbCdEf", "/tmp/ssh-AbCdEf/agent.1", "/tmp/tmux-4100/default",
            "/tmp/dbus-AbCdEf/socket", "/tmp/hsperfdata_alice/77",
        ]
        for file in files { sandbox.file(file, size: 40, age: .days(20)) }
        sandbox.file("/tmp/.X0-lock", size: 11, age: .days(20), owner: .root)
        sandbox.file("/tmp/nobody/f", age: .days(20), owner: .root)
        try sandbox.settle()
        try sandbox.headroom("purge", "--all", "--yes")
        try sandbox.headroom("purge", "--all", "--yes", as: .root)
        let all = files + sockets.map { "/tmp/\($0)" } + ["/tmp/.X0-lock"]
        let lost = Set(all).subtracting(try sandbox.existing(all))
        #expect(lost.isEmpty, "lost \(lost)")
        try sandbox.expectControlsPurged()
        try sandbox.expectPurged("/tmp/nobody/f")
    }

    @Test(
        "Keeps the directory that a running program was started from or names", .tags(.r43d),
        .enabled(if: python, "needs python3"))
    func keepsDirectoryOfRunningProgram() throws {
        let sandbox = try FieldSandbox()
        let bundle = "/tmp/_bundle1"
        let script = "\(home)/.npm/_npx/0a1b/node_modules/server"
        let named = "/tmp/container.8080"
        sandbox.prepare(
            """
            parents \(bundle) 4100
            cp /usr/bin/sleep \(bundle)/program
            parents \(script) 4100
            echo 'import time; print("ready", flush=True); time.sleep(1000)' >\(script)/main.py
            chown -R 4100 \(bundle) \(script)
            """)
        sandbox.file("\(bundle)/late.so", age: .days(20))
        sandbox.file("\(script)/late.js", age: .days(20))
        sandbox.file("\(named)/conf/web.xml", age: .days(20))
        sandbox.file("/tmp/_bundle2/late.so", age: .days(20))
        sandbox.file("\(home)/.npm/_npx/2c3d/node_modules/x/main.js", age: .days(400))
        sandbox.prepare("age 1728000 \(bundle) \(home)/.npm \(named) /tmp/_bundle2")
        try sandbox.settle()
        try sandbox.start("\(bundle)/program 1000 & echo ready; wait")
        try sandbox.start("exec python3 \(script)/main.py")
        try sandbox.start(
            "exec python3 -c 'import time; print(\"ready\", flush=True); time.sleep(1000)' "
                + "-Djava.io.tmpdir=\(named)")
        try sandbox.headroom("purge", "--all", "--yes")
        try sandbox.expectKept(
            "\(bundle)/late.so", "\(script)/late.js", "\(named)/conf/web.xml")
        try sandbox.expectPurged("/tmp/_bundle2/late.so", "\(home)/.npm/_npx/2c3d")
        try sandbox.expectControlsPurged()
    }

    @Test("Keeps the directory of a script that calls headroom, but not a path that it hands over")
    func keepsDirectoryOfCallingScript() throws {
        let sandbox = try FieldSandbox()
        for name in ["job", "other", "requested"] {
            sandbox.file("/tmp/\(name)/late", age: .days(20))
        }
        sandbox.prepare(
            """
            echo '\(FieldSandbox.binary) purge --all --yes; true' >/tmp/job/run.sh
            chown 4100 /tmp/job/run.sh
            age 1728000 /tmp/job
            """)
        try sandbox.settle()
        try sandbox.run(["bash", "/tmp/job/run.sh"], as: .alice, environment: [:])
        try sandbox.expectKept("/tmp/job/late")
        try sandbox.expectPurged("/tmp/other/late")
        try sandbox.expectControlsPurged()
        sandbox.file("/tmp/requested/late", age: .days(20))
        try sandbox.settle()
        let command = "\(FieldSandbox.binary) clean /tmp/requested --yes; true"
        try sandbox.run(["bash", "-c", command], as: .alice)
        try sandbox.expectPurged("/tmp/requested/late")
    }

    @Test(
        "Keeps apt's archives while apt holds their lock, and purges them afterwards", .tags(.r43f),
        .enabled(if: python, "needs python3"))
    func keepsArchivesWhileAptIsAtWork() throws {
        let sandbox = try FieldSandbox()
        let archives = "/var/cache/apt/archives"
        let packages = ["a", "b"].map { "\(archives)/\($0)_1_amd64.deb" }
        for package in packages { sandbox.file(package, size: 400_000, age: .days(60)) }
        sandbox.file("\(archives)/lock", size: 0, age: .days(400))
        sandbox.directory("\(archives)/partial", age: .days(400), owner: .root)
        sandbox.file("/tmp/nobody/f", age: .days(20), owner: .root)
        try sandbox.settle()
        let apt = try sandbox.start(
            """
            cd /
            exec python3 -c '
            import fcntl, time
            lock = open("/var/cache/apt/archives/lock", "r+")
            fcntl.lockf(lock, fcntl.LOCK_EX)
            print("ready", flush=True)
            time.sleep(1000)'
            """, as: .root)
        try sandbox.headroom("purge", "--all", "--yes", as: .root)
        #expect(try sandbox.existing(packages) == packages)
        try sandbox.expectPurged("/tmp/nobody/f")
        try sandbox.stop(apt)
        try sandbox.headroom("purge", "--all", "--yes", as: .root)
        #expect(try sandbox.existing(packages).isEmpty)
        try sandbox.expectKept("\(archives)/lock", "\(archives)/partial")
    }
}
#endif
