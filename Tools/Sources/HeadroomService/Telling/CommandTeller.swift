//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Runs a program with the notice as JSON on its standard input: no shell, and not for longer than a time.
///
/// It runs as the user of the service, who is the one that wrote the configuration: root reads only root's.
public struct CommandTeller: Teller {
    public let name = "command"
    private let command: [String]
    private let environment: [String: String]
    private let timeLimit: Duration

    /// - Parameters:
    ///   - command: the program by its whole path, and its arguments; not empty.
    ///   - environment: what it is handed: its `PATH`, `HOME` and locale; no more than it may see.
    /// - Throws: `refused` where the command is another user's than the service runs as.
    public init(
        command: [String], owner: UInt32, environment: [String: String], timeLimit: Duration
    ) throws(HeadroomError) {
        guard owner == 0 || owner == User.effective else {
            throw HeadroomError(
                .refused,
                "The command \(command.first ?? "") is configured by user \(owner), and the service "
                    + "runs as user \(User.effective). Let root or that user own the file.")
        }
        precondition(!command.isEmpty, "a command has at least its program")
        self.command = command
        self.environment = environment
        self.timeLimit = timeLimit
    }

    public func tell(_ notice: Notice) async throws(HeadroomError) {
        let program = FilePath(command[0])
        var run = ToolCommand(
            program, Array(command.dropFirst()), environment: environment, limit: timeLimit)
        run.input = notice.json + [0x0A]
        let outcome: ToolCommand.Outcome
        do throws(Errno) {
            outcome = try await run.runAside()
        } catch {
            throw HeadroomError("run", program, error)
        }
        guard outcome.exitCode == 0 else {
            throw HeadroomError(.io, Self.failure(program, outcome, timeLimit))
        }
    }

    private static func failure(
        _ program: FilePath, _ outcome: ToolCommand.Outcome, _ limit: Duration
    ) -> String {
        let end =
            outcome.isTimedOut
            ? "was ended after \(limit.components.seconds) s (notifications: time-limit)"
            : outcome.exitCode.map { "ended with \($0)" } ?? "was ended by a signal"
        let last =
            String(decoding: outcome.output.suffix(500), as: UTF8.self)
            .split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
        return
            "The command \(program.displayText) for notices \(end)\(last). Try it by hand with a "
            + "notice as JSON on its standard input."
    }
}
