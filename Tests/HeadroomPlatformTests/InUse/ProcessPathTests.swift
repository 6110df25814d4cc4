//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R43: paths that processes work with", .timeLimit(.minutes(10)))
struct ProcessPathTests {
    private let directory: TemporaryDirectory
    private var root: FilePath { directory.path.appending("area") }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("area/unit/lib/main.js", text: "x")
        try directory.tree.file("area/other/file", text: "x")
    }

    /// A process that keeps its command line, and waits.
    private func process(
        _ arguments: [String] = [], environment: [String: String] = [:],
        directory: FilePath? = nil
    ) throws -> ChildProcess {
        try Holder.started(
            ChildProcess(
                "/bin/sh", ["-c", "echo ready; kill -STOP $$", "sh"] + arguments,
                environment: environment.mapValues { $0 }, directory: directory))
    }

    private typealias Kinds = [String: ProcessPath.Kind]

    private func found(by child: ChildProcess) -> Kinds {
        let survey = ProcessPathSurvey.capture(below: [root])
        var found: Kinds = [:]
        for path in survey.paths where path.process == child.processID {
            found[path.path.string] = path.kind
        }
        return found
    }

    @Test(
        "Finds a path in every form of argument",
        arguments: [
            "PATH", "--config=PATH", "-Djava.io.tmpdir=PATH", "key=PATH", "-IPATH", "-isystemPATH",
            "-Wl,-rpath,PATH", "/usr/lib:PATH:/lib", "file://PATH", "cd PATH && run", "'PATH'",
            "{\"dir\":\"PATH\"}", "@PATH", "PATH/", "/PATH", "/tmp/../PATH", "bind:PATH:/mnt",
        ])
    func findsArgument(form: String) throws {
        let path = root.appending("unit/lib/main.js").string
        let child = try process([form.replacing("PATH", with: path)])
        #expect(found(by: child) == [path: .commandLine])
    }

    @Test("Finds a path with spaces and separators in its name")
    func findsOddName() throws {
        try directory.tree.file("area/a b:c,d/e f", text: "x")
        let path = root.appending("a b:c,d/e f").string
        let child = try process(["--file=\(path)"])
        #expect(found(by: child)[path] == .commandLine)
    }

    @Test(
        "Finds a path with names of one and two bytes",
        arguments: ["a/b/c", "a/./b/../b/c", "ab/cd"])
    func findsShortName(path: String) throws {
        try directory.tree.file("area/a/b/c", text: "x")
        try directory.tree.file("area/ab/cd", text: "x")
        let child = try process(["\(root)/\(path)"])
        #expect(found(by: child).count == 1)
    }

    @Test("Finds the nearest directory of a path that does not exist yet")
    func findsMissing() throws {
        let child = try process(["-o", root.appending("unit/build/out.o").string, "\(root)/new"])
        #expect(found(by: child) == [root.appending("unit").string: .commandLine])
    }

    @Test("Resolves relative arguments from the working directory of the process")
    func resolvesRelative() throws {
        let path = root.appending("unit/lib/main.js").string
        let inside = try process(["unit/lib/main.js"], directory: root)
        #expect(found(by: inside)[path] == .commandLine)
        // Another path: one that two processes name is recorded once.
        let around = try process(["--main=area/unit/lib"], directory: directory.path)
        let library = root.appending("unit/lib").string
        #expect(found(by: around)[library] == .commandLine)
        let beside = try process(
            ["../unit/lib/main.js"], directory: root.appending("other"))
        #expect(found(by: beside)[path] == .commandLine)
    }

    @Test("Finds the nearest directory of a relative path that does not exist yet")
    func findsMissingRelative() throws {
        let outer = try process(
            ["area/unit/new/x", "--out=area/other/y"], directory: directory.path)
        #expect(
            found(by: outer) == [
                root.appending("unit").string: .commandLine,
                root.appending("other").string: .commandLine,
            ])
        // The working directory counts as such, whatever the arguments are.
        let inner = try process(["word", "./word"], directory: root.appending("unit"))
        #expect(found(by: inner) == [root.appending("unit").string: .workingDirectory])
    }

    @Test("Finds relative paths in variables that are named for paths")
    func findsRelativeEnvironment() throws {
        let child = try process(
            environment: ["WORKDIR": "unit", "OUTPUT_PATH": "other/new", "USER": "lib"],
            directory: root)
        try directory.tree.directory("area/lib")
        #expect(
            found(by: child) == [
                root.appending("unit").string: .environment("WORKDIR"),
                root.appending("other").string: .environment("OUTPUT_PATH"),
            ])
    }

    @Test(
        "Finds the directory of a file that was deleted while a process has it mapped", .tags(.r43d)
    )
    func findsDeletedMapping() throws {
        try directory.tree.file("area/unit/mapped.so", size: ByteCount(8192))
        let file = root.appending("unit/mapped.so").string
        // Not readable on the command line, which would count.
        let hexadecimal = file.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let child = try Holder.python(
            """
            f=os.open(bytes.fromhex('\(hexadecimal)'),os.O_RDONLY)
            m=mmap.mmap(f,0,mmap.MAP_PRIVATE,mmap.PROT_READ)
            """)
        try directory.tree.remove("area/unit/mapped.so")
        let unit = try Holder.identity(root.appending("unit"))
        let use = OpenFileSnapshot.capture(below: [root]).use(of: unit)
        #expect(use?.kind == .mapped)
        #expect(use?.process == child.processID)
    }

    @Test("Follows links to a path, and counts the links too")
    func followsLinks() throws {
        try directory.tree.symbolicLink("link", to: "area/unit")
        try directory.tree.symbolicLink("area/inner", to: "\(root)/other")
        let outer = try process(["\(directory.path)/link/lib/main.js"])
        #expect(found(by: outer) == [root.appending("unit/lib/main.js").string: .commandLine])
        let inner = try process(["\(root)/inner/file"])
        #expect(
            found(by: inner) == [
                root.appending("inner").string: .commandLine,
                root.appending("other/file").string: .commandLine,
            ])
    }

    @Test("Follows a link whose target has names of one and two letters")
    func followsShortNames() throws {
        for name in ["a", "ab"] as [TreePath] { try directory.tree.directory(name) }
        try directory.tree.symbolicLink("link", to: "area/../a/../ab/.././area/unit")
        let child = try process(["\(directory.path)/link/lib/main.js"])
        #expect(found(by: child) == [root.appending("unit/lib/main.js").string: .commandLine])
    }

    @Test(
        "Finds paths in environment values, lists included, whatever the variable is called",
        .tags(.r43d))
    func findsEnvironment() throws {
        let path = root.appending("unit/lib").string
        let child = try process(environment: [
            "SOME_HOME": path, "A_LIST": "/usr/bin:\(root)/other:/bin", "OLDPWD": "\(root)/gone",
        ])
        #expect(
            found(by: child) == [
                path: .environment("SOME_HOME"),
                root.appending("other").string: .environment("A_LIST"),
            ])
    }

    @Test("Finds working directory and executable", .tags(.r43d))
    func findsLinks() throws {
        try directory.tree.directory("area/work")
        let program = root.appending("unit/program")
        _ = try ChildProcess.run("cp", ["/bin/sleep", program.string])
        let child = try ChildProcess(
            program.string, ["1000"], directory: root.appending("work"), output: .discarded)
        // It runs when its executable is the program.
        while OpenFileSnapshot.capture().use(of: try Holder.identity(program)) == nil {}
        let found = found(by: child)
        #expect(found[root.appending("work").string] == .workingDirectory)
        #expect([.executable, .commandLine].contains(found[program.string]))
    }

    @Test("An argument that names the directory itself, or one around it, keeps nothing")
    func ignoresRoot() throws {
        let child = try process([root.string, directory.path.string, "/", "\(root)/"])
        #expect(found(by: child).isEmpty)
    }

    @Test(
        "Maps paths of another mount namespace to what is there",
        .enabled(if: Privilege.canMount, "needs root to mount"),
        arguments: ["mount/lib/main.js", "link/main.js", "link/../../mount/lib/main.js"])
    func mapsNamespaces(path: String) throws {
        try directory.tree.directory("mount")
        try directory.tree.symbolicLink("link", to: "mount/lib")
        // There `mount` shows the `area/unit` of this namespace, and `area` is another directory.
        let child = try Holder.started(
            ChildProcess(
                "unshare",
                [
                    "-m", "--propagation", "private", "sh", "-c",
                    """
                    mount --bind '\(root)/unit' '\(directory.path)/mount' &&
                    mount -t tmpfs none '\(root)' && mkdir -p '\(root)/other' &&
                    exec sh -c 'echo ready; kill -STOP $$' sh "$@"
                    """, "sh", "\(directory.path)/\(path)", "\(root)/other",
                ]))
        #expect(found(by: child) == [root.appending("unit/lib/main.js").string: .commandLine])
        let sources = ProcessPathSurvey.capture(below: [root]).mountSources
        let source = try #require(sources.first { $0.path == root.appending("unit") })
        #expect(source.process == child.processID)
        #expect(source.point == directory.path.appending("mount"))
    }

    @Test(
        "A mount source that is the directory itself, or lies around it, keeps nothing",
        .enabled(if: Privilege.canMount, "needs root to mount"))
    func ignoresMountedRoot() throws {
        try directory.tree.directory("mount")
        let around = try MountedImage.bind(directory.path, at: directory.path.appending("mount"))
        defer { withExtendedLifetime(around) {} }
        try directory.tree.directory("second")
        let itself = try MountedImage.bind(root, at: directory.path.appending("second"))
        defer { withExtendedLifetime(itself) {} }
        #expect(ProcessPathSurvey.capture(below: [root]).mountSources.isEmpty)
    }

    @Test(
        "The layers of an overlay are mount sources",
        .enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"))
    func findsLayers() throws {
        let image = try MountedImage.overlay(lower: root.appending("unit"))
        let sources = ProcessPathSurvey.capture(below: [root]).mountSources
        #expect(sources.contains { $0.path == root.appending("unit") && $0.point == image.path })
    }

    /// Prints the cost; `make soak` runs it.
    @Test(
        "Looks at 300 processes in 30 mount namespaces in a few milliseconds",
        .enabled(if: Privilege.isSoak && Privilege.canMount, "long: HEADROOM_SOAK is not set"))
    func costs() throws {
        var children: [ChildProcess] = []
        for _ in 0..<30 {
            children.append(
                try Holder.started(
                    ChildProcess(
                        "unshare",
                        [
                            "-m", "--propagation", "private", "--pid", "--fork", "--kill-child",
                            "sh", "-c",
                            """
                            mount -t tmpfs none /mnt; mount --bind '\(root)/other' /media
                            for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done
                            echo ready; wait
                            """,
                        ])))
        }
        let clock = ContinuousClock()
        func best(_ body: () -> Void) -> Duration {
            body()
            return (0..<9).map { _ in clock.measure(body) }.min() ?? .zero
        }
        let roots = [root, "/tmp", "/var/tmp", "/root/.cache"]
        let plain = best { _ = OpenFileSnapshot.capture() }
        let named = best { _ = OpenFileSnapshot.capture(below: roots) }
        let survey = best { _ = ProcessPathSurvey.capture(below: roots) }
        print("snapshot: \(plain), with names \(named); survey for a plan \(survey)")
        withExtendedLifetime(children) {}
    }

    @Test("A snapshot counts what is only named, and tells who names it")
    func snapshotCountsNamed() throws {
        let file = root.appending("unit/lib/main.js")
        let child = try process([file.string])
        let identity = try Holder.identity(file)
        #expect(!OpenFileSnapshot.capture().contains(identity))
        let use = OpenFileSnapshot.capture(below: [root]).use(of: identity)
        #expect(use?.kind == .commandLine)
        #expect(use?.process == child.processID)
    }
}
#endif
