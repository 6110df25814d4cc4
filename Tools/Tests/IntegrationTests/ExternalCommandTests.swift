//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Commands of `headroom` that other programs run, with a stand-in for these programs that tells how it was started.
@Suite(.blocks)
struct ExternalCommandTests {
    private static let standIn = """
        #!/bin/sh
        printf 'process %s\\n' $$
        grep -E '^Sig(Blk|Ign)' /proc/self/status
        for word; do printf '%s\\n' "$word" | od -An -c; done
        [ "$1" = config ] && kill -STOP $$
        cat
        exit 7

        """

    private let home: Home
    private var directory: FilePath { home.directory.path }

    /// Copies `headroom` to a directory that contains no other program.
    init() throws {
        home = try Home(on: .disk)
        try home.tree.directory("bin")
        let copy = try ChildProcess.run("cp", [Program.path, directory.string + "/bin/headroom"])
        try #require(copy.exitCode == 0)
    }

    private func addStandIn(_ path: String) throws {
        try home.tree.file(TreePath(stringLiteral: path), text: Self.standIn)
        let mode = try ChildProcess.run("chmod", ["755", directory.string + "/" + path])
        try #require(mode.exitCode == 0)
    }

    /// Runs a line of shell; `$0` is the copy of `headroom`.
    private func shell(
        _ line: String, environment: [String: String?] = [:]
    ) throws -> ChildResult {
        try ChildProcess.run(
            "sh", ["-c", line, directory.string + "/bin/headroom"],
            environment: home.environment.merging(environment) { $1 })
    }

    // MARK: - Starting

    @Test("Becomes the program beside it, with its arguments, input and exit code unchanged")
    func becomesTheProgram() throws {
        try addStandIn("bin/headroomd")
        let line = #"echo input | exec "$0" sweep --json -- 'a b' "$(printf 'x\377')" ''"#
        let result = try shell(line)
        #expect(result.exitCode == 7)
        let words = result.output.split(separator: "\n").map { $0.filter { $0 != " " } }
        #expect(
            words.suffix(7) == [
                "sweep\\n", "--json\\n", "--\\n", "ab\\n", "x377\\n", "\\n", "input",
            ])
        #expect(result.errors.isEmpty)
    }

    @Test("The program that it becomes has the same signals ignored and blocked")
    func keepsSignals() throws {
        try addStandIn("bin/headroomd")
        let plain = try ChildProcess.run("grep", ["-E", "^Sig(Blk|Ign)", "/proc/self/status"])
        let result = try shell(#"exec "$0" serve"#)
        let signals = result.output.split(separator: "\n").filter { $0.hasPrefix("Sig") }
        #expect(signals == plain.output.split(separator: "\n"))
    }

    @Test("The program that it becomes has its process number, so that signals reach it")
    func keepsProcessNumber() throws {
        try addStandIn("bin/headroomd")
        let line = #"""
            "$0" config >out & child=$!
            while ! grep -q '^process' out; do sleep 0.05; done
            [ "$(head -n 1 out)" = "process $child" ] && kill -TERM $child && kill -CONT $child
            wait $child; echo "ended with $?"
            """#
        let result = try shell("cd '\(directory.string)'; \(line)")
        #expect(result.output == "ended with 143\n", "\(result)")
    }

    @Test(
        "SIGTERM and SIGINT to the process of headroom serve end the daemon in good order",
        .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"),
        arguments: [15, 2] as [Int32])
    func signalsEndDaemon(signal: Int32) throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        child.send(signal)
        #expect(try child.wait().exitCode == 0)
    }

    @Test("Passes the terminal on", .enabled(if: Privilege.has(program: "script"), "needs script"))
    func passesTerminalOn() throws {
        try home.tree.file(
            "bin/headroomd",
            text: "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo a terminal\n")
        _ = try ChildProcess.run("chmod", ["755", directory.string + "/bin/headroomd"])
        let result = try shell(#"exec script -qec "$0 serve" /dev/null </dev/null"#)
        #expect(result.output.contains("a terminal"))
    }

    // MARK: - Finding

    @Test("Finds the program in ../libexec/headroom, and beside itself first")
    func findsLibexec() throws {
        try addStandIn("libexec/headroom/headroom-protect")
        #expect(try shell(#"exec "$0" lock"#).exitCode == 7)
        try home.tree.file("bin/headroom-protect", text: "#!/bin/sh\nexit 8\n")
        _ = try ChildProcess.run("chmod", ["755", directory.string + "/bin/headroom-protect"])
        #expect(try shell(#"exec "$0" lock"#).exitCode == 8)
    }

    @Test("Finds the program where the real file of headroom is, whatever argv[0] says")
    func ignoresItsName() throws {
        try addStandIn("bin/headroomd")
        let line = #"bash -c 'exec -a /usr/bin/other "$0" sweep' "$0""#
        #expect(try shell(line).exitCode == 7)
        _ = try ChildProcess.run(
            "ln", ["-s", directory.string + "/bin/headroom", home.path.string + "/h"])
        #expect(try shell(#"exec "$HOME/h" sweep"#).exitCode == 7)
    }

    @Test("Doesn't search PATH for the program")
    func ignoresPATH() throws {
        try addStandIn("elsewhere/headroomd")
        let result = try shell(
            #"exec "$0" sweep"#,
            environment: ["PATH": directory.string + "/elsewhere:/usr/bin:/bin"])
        #expect(result.exitCode == 1)
    }

    // MARK: - Without the program

    @Test(
        "Names the package of a program that is missing",
        arguments: [
            ("serve", "headroomd"), ("sweep", "headroomd"), ("forecast", "headroomd"),
            ("config check", "headroomd"), ("protect --new-keys", "headroom-protect"),
            ("unlock", "headroom-protect"), ("lock", "headroom-protect"),
            ("help serve", "headroomd"), ("serve --help", "headroomd"),
        ])
    func namesPackage(words: String, package: String) throws {
        let result = try shell(#"exec "$0" "# + words)
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasSuffix("Install it with: apt install \(package)\n"), "\(result)")
        let text = result.errors.replacing("\n", with: " ")
        #expect(text.contains(directory.string + "/bin or " + directory.string + "/libexec"))
    }

    @Test("With --json, prints the error of a missing program as a document")
    func missingProgramInJSON() throws {
        let result = try shell(#"exec "$0" config show --json"#)
        #expect(result.exitCode == 1)
        #expect(result.json("schema") == "\"headroom.error/1\"")
        #expect(result.json("code") == "\"notFound\"")
        #expect(result.output.contains("apt install headroomd"))
    }

    @Test("Rejects arguments that aren't UTF-8 without the program as it does with it")
    func rejectsBadText() throws {
        let result = try shell(#"exec "$0" config show --directory="$(printf 'x\377')""#)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("UTF-8"))
    }

    @Test("Says why a program that is there can't be started")
    func saysWhyNot() throws {
        try home.tree.directory("bin/headroomd")
        let result = try shell(#"exec "$0" sweep"#)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains(directory.string + "/bin/headroomd"))
    }

    @Test("The status needs no other program")
    func statusAlone() throws {
        try home.tree.file("state/history.sqlite", text: "of the daemon")
        let result = try shell(#"exec "$0" status "$HOME""#)
        #expect(result.exitCode == 0, "\(result)")
        #expect(!result.errors.contains("headroomd"))
    }

    // MARK: - What is linked

    @Test(
        "headroom links neither a server, nor a database, nor cryptography, nor all of Foundation",
        .enabled(if: Privilege.has(program: "nm"), "needs nm"),
        arguments: [
            "sqlite3_", "4GRDB", "7NIOCore", "8NIOPosix", "CNIO", "11Hummingbird", "BoringSSL",
            "6Crypto", "15HeadroomService0", "18HeadroomProtection", "17HeadroomDashboard",
            "s10Foundation",
        ])
    func linksLittle(symbol: String) throws {
        let result = try ChildProcess.run(
            "sh", ["-c", #"nm "$0" | grep -c -- "$1""#, Program.path, symbol])
        #expect(result.output == "0\n")
        // These symbols would be found.
        let all = try ChildProcess.run(
            "sh",
            [
                "-c", #"for p in d -protect; do nm "$0$p"; done | grep -c -- "$1""#, Program.path,
                symbol,
            ])
        #expect(symbol == "15HeadroomService0" || all.output != "0\n")
    }
}
#endif
