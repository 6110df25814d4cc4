//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A shell in a real terminal, of tmux, in which programs are used by their keys.
struct TerminalWindow: ~Copyable {
    private let home: Home
    private let socket: String

    /// - Parameter terminal: what the programs are told of it in `TERM`.
    init(
        in home: Home, columns: Int = 80, rows: Int = 24, terminal: String = "xterm-256color",
        variables: [String: String] = [:]
    ) throws {
        self.home = home
        socket = home.directory.path.appending("tmux").string
        let settings = variables.map { "\($0)=\($1)" } + ["PS1=ready ", "TERM=\(terminal)"]
        try tmux(
            ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"] + settings + ["sh"])
        try wait(for: "ready")
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        try ChildProcess.run(
            "tmux", ["-S", socket, "-f", "/dev/null"] + arguments,
            environment: home.environment.merging(["TERM": "xterm-256color"]) { $1 }
        ).output
    }

    /// Types keys, by their names in tmux; all in one, so that the program finds them together.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// What is to be seen.
    ///
    /// - Parameter styled: with the sequences for colours.
    func screen(styled: Bool = false) throws -> String {
        try tmux(["capture-pane", "-p"] + (styled ? ["-e"] : []))
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// A variable of tmux, such as `alternate_on`.
    func value(_ name: String) throws -> String {
        try tmux(["display-message", "-p", "#{\(name)}"]).filter { $0 != "\n" }
    }

    /// Waits until a text is on the screen, and another one is not.
    @discardableResult
    func wait(for text: String, without other: String? = nil) throws -> String {
        for _ in 0..<400 {
            let screen = try screen()
            if screen.contains(text), other.map({ !screen.contains($0) }) ?? true { return screen }
            // tmux has no way to wait for a text.
            _ = try ChildProcess.run("sleep", ["0.05"])
        }
        Issue.record("“\(text)” is not on the screen: \(try screen())")
        return ""
    }

    /// Starts a program, behind which the shell says how it ended and how the terminal is set.
    func start(_ arguments: String) throws {
        try press(
            "clear; \(Program.path) \(arguments); echo rc=$?; stty -a | grep -c ' icanon'", "Enter")
    }

    /// Waits for the shell, and finds out whether the terminal is as it was before.
    ///
    /// - Returns: what the program's exit code was.
    func end() throws -> Int? {
        // What stty says: that lines are read again.
        let text = try wait(for: "\n1\nready")
        for name in ["alternate_on", "cursor_flag", "wrap_flag"] {
            #expect(try value(name) == (name == "alternate_on" ? "0" : "1"), "\(name)")
        }
        return text.split(separator: "\n").last { $0.hasPrefix("rc=") }.flatMap {
            Int($0.dropFirst(3))
        }
    }

    /// Sends a signal to what the shell runs.
    func signal(_ name: String) throws {
        let shell = try value("pane_pid")
        _ = try ChildProcess.run("pkill", ["-\(name)", "-P", shell])
    }
}
