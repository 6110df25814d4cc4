//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A small machine of its own, in which the real binary works as an ordinary user or as root.
///
/// It has its own `/home`, `/tmp` and `/var`, on ext4 volumes whose files can have any age, birth time
/// included; its own processes; and the accounts `alice` and `bob`. Everything ends with its owner.
///
///     let sandbox = try FieldSandbox()
///     sandbox.file("/tmp/old/f", age: .days(20))
///     try sandbox.settle()
///     try sandbox.headroom("purge", "--all", "--yes")
///     try sandbox.expectPurged("/tmp/old/f")
final class FieldSandbox {
    enum Account: String {
        case root, alice, bob

        var number: Int {
            switch self {
            case .root: 0
            case .alice: 4100
            case .bob: 4101
            }
        }

        var home: String { self == .root ? "/root" : "/home/\(rawValue)" }
    }

    static let home = "/home/alice"
    static let binary = "/run/headroom"

    private let directory: TemporaryDirectory
    private let builder: ChildProcess
    /// The first process of the sandbox, as it is known outside.
    private let processID: Int32
    private var setup: [String] = []

    /// - Parameter volumes: the names of further volumes, mounted at `/mnt/NAME`.
    init(volumes: [String] = []) throws {
        directory = try TemporaryDirectory(on: .memory)
        let standard = ["home:/home", "tmp:/tmp", "var:/var"]
        // In a file: a process protects the paths on its command line and in its environment.
        try directory.tree.file("build", text: Self.builder)
        builder = try ChildProcess(
            "unshare",
            [
                "--mount", "--pid", "--ipc", "--net", "--fork", "--kill-child", "--propagation",
                "private", "env", "-i", "PATH=\(Self.path)", "bash",
                directory.path.appending("build").string, directory.path.string, Program.path,
            ] + standard + volumes.map { "\($0):/mnt/\($0)" },
            environment: ["PATH": Self.path])
        guard try builder.readOutput(until: "."), let number = Self.number(builder) else {
            throw FixtureError(
                "build", on: "a sandbox",
                details: String(decoding: builder.standardError, as: UTF8.self))
        }
        processID = number
        for name in volumes { setup.append("chown \(Account.alice.number) '/mnt/\(name)'") }
        // Every purge must delete these: one that deletes nothing fails every test.
        file("/tmp/control/f", age: .days(20))
        file("\(Self.home)/.cache/control/f", age: .days(400))
    }

    private static func number(_ builder: ChildProcess) -> Int32? {
        let words = String(decoding: builder.standardOutput, as: UTF8.self).split(separator: " ")
        guard words.first == "ready", words.count == 2 else { return nil }
        return Int32(words[1].prefix { $0.isNumber })
    }

    private static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    // MARK: - Whether there can be one

    static let needs: Comment =
        "needs root, private mount namespaces, loop devices, e2fsprogs and util-linux"

    /// Found out by building one.
    static let isPossible: Bool = {
        let tools = [
            "unshare", "nsenter", "setpriv", "pivot_root", "losetup", "debugfs", "mkfs.ext4",
        ]
        guard Privilege.isRoot, tools.allSatisfy({ Privilege.has(program: $0) }) else {
            return false
        }
        // The cause of a failure does not matter: the test states its requirements.
        return (try? FieldSandbox()) != nil
    }()

    // MARK: - Setting up

    /// Adds a file, with the directories around it. Made by ``settle()`` or the next run.
    func file(
        _ path: String, size: Int = 9_000, age: Duration = .zero, owner: Account? = nil
    ) {
        setup.append(
            "put '\(path)' \(size) \(age.components.seconds) \(Self.owner(of: path, owner))")
    }

    /// Adds an empty directory.
    func directory(_ path: String, age: Duration = .zero, owner: Account? = nil) {
        setup.append("folder '\(path)' \(age.components.seconds) \(Self.owner(of: path, owner))")
    }

    /// Adds lines of a shell script, which has the functions of ``functions``.
    func prepare(_ script: String) { setup.append(script) }

    private static func owner(of path: String, _ owner: Account?) -> Int {
        (owner ?? (path.hasPrefix("/var/") || path.hasPrefix("/root/") ? .root : .alice)).number
    }

    /// Creates the files that were added so far.
    func flush() throws {
        guard !setup.isEmpty else { return }
        let script = Self.functions + setup.joined(separator: "\n")
        setup = []
        try require(run(["bash", "-c", script], as: .root), "set up")
    }

    /// Creates the files that were added so far, with their real ages. No process may have a file open there.
    func settle() throws {
        try flush()
        try require(run(["bash", "-c", Self.settler], as: .root), "settle")
    }

    private func require(_ result: ChildResult, _ task: String) throws {
        guard result.succeeded else {
            throw FixtureError(task, on: "a sandbox", details: result.errors + result.output)
        }
    }

    /// Copies a file of the machine into the sandbox. It is readable to all accounts.
    func copy(_ file: String, to path: String) throws {
        let target = "/proc/\(processID)/root\(path)"
        try require(ChildProcess.run("install", ["-m", "755", file, target]), "copy")
    }

    // MARK: - Running

    /// Runs a program to its end.
    @discardableResult
    func run(
        _ command: [String], as account: Account, environment: [String: String] = [:]
    ) throws -> ChildResult {
        try ChildProcess.run("nsenter", arguments(command, account, environment))
    }

    /// Runs a shell script to its end, which must succeed.
    @discardableResult
    func shell(_ script: String, as account: Account = .alice) throws -> ChildResult {
        try flush()
        let result = try run(["bash", "-c", "set -eu\n" + script], as: account)
        try require(result, "run a script")
        return result
    }

    /// Runs `headroom`.
    @discardableResult
    func headroom(
        _ command: String..., as account: Account = .alice, environment: [String: String] = [:]
    ) throws -> ChildResult {
        try flush()
        let result = try run(
            ["timeout", "-k", "5", "60", Self.binary] + command, as: account,
            environment: environment)
        let isCrash = (124...139).contains(result.exitCode ?? 139) && result.exitCode != 130
        #expect(!isCrash, "headroom \(command): \(result)")
        return result
    }

    /// Starts a script that goes on, and waits until it prints `ready`.
    ///
    /// - Returns: its number in the sandbox, for ``stop(_:)``.
    @discardableResult
    func start(
        _ script: String, as account: Account = .alice, environment: [String: String] = [:]
    ) throws -> Int {
        try flush()
        // In a file, so that its command line names nothing.
        let name = "script\(started.count)"
        let file = URL(fileURLWithPath: "/proc/\(processID)/root/run/\(name)")
        try Data(("echo \"number $$;\"\n" + script).utf8).write(to: file)
        let child = try ChildProcess(
            "nsenter", arguments(["bash", "/run/\(name)"], account, environment))
        started.append(child)
        guard try child.readOutput(until: "ready") else {
            throw FixtureError(
                "start", on: script, details: String(decoding: child.standardError, as: UTF8.self))
        }
        let words = String(decoding: child.standardOutput, as: UTF8.self).split(separator: " ")
        return try #require(Int(words[1].prefix { $0.isNumber }))
    }

    private var started: [ChildProcess] = []

    /// Ends a script that was started, and waits for its end.
    func stop(_ process: Int) throws {
        try shell(
            "kill \(process); while [ -e /proc/\(process) ]; do sleep 0.02; done", as: .root)
    }

    private func arguments(
        _ command: [String], _ account: Account, _ environment: [String: String]
    ) -> [String] {
        var variables = [
            "PATH": Self.path, "HOME": account.home, "USER": account.rawValue,
            "LOGNAME": account.rawValue, "SHELL": "/bin/bash", "LANG": "C.UTF-8", "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c",
        ]
        variables.merge(environment) { $1 }
        let number = "\(account.number)"
        return [
            "--target", "\(processID)", "--mount", "--pid", "--ipc", "--net", "--root", "--wd",
            "setpriv", "--reuid", number, "--regid", number, "--clear-groups", "env", "-i",
        ] + variables.map { "\($0.key)=\($0.value)" } + command
    }

    // MARK: - Expectations

    /// Which of some paths are there.
    func existing(_ paths: [String]) throws -> [String] {
        let script =
            #"for path; do if [ -e "$path" ] || [ -L "$path" ]; then echo "$path"; fi; done"#
        let result = try run(["bash", "-c", script, "bash"] + paths, as: .root)
        return result.output.split(separator: "\n").map(String.init)
    }

    func expectKept(_ paths: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        let there = Set(try existing(paths))
        let lost = paths.filter { !there.contains($0) }
        #expect(lost.isEmpty, "lost \(lost)", sourceLocation: sourceLocation)
    }

    func expectPurged(_ paths: String..., sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let kept = try existing(paths)
        #expect(kept.isEmpty, "kept \(kept)", sourceLocation: sourceLocation)
    }

    /// Checks that the files which every purge must delete no longer exist.
    func expectControlsPurged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectPurged(
            "/tmp/control/f", "\(Self.home)/.cache/control/f", sourceLocation: sourceLocation)
    }

    /// Everything below a directory but directories: paths, sizes and link targets.
    func listing(_ path: String) throws -> Set<String> {
        let result = try run(
            ["find", path, "!", "-type", "d", "-printf", #"%P %s %l\n"#], as: .root)
        return Set(result.output.split(separator: "\n").map(String.init))
    }
}

extension ChildResult {
    /// The paths of a plan's entries.
    func plannedPaths() throws -> [String] {
        struct Plan: Decodable {
            struct Entry: Decodable { var path: String }
            var entries: [Entry]
        }
        return try JSONDecoder().decode(Plan.self, from: Data(standardOutput)).entries.map(\.path)
    }
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
#endif
