//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ArgumentParser
import HeadroomEngine
import HeadroomProtection
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program `headroom`.
public struct Headroom: ParsableCommand {
    public static let version = "0.1.0"

    public static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Keeps storage within budget: what is there, what may go, and in which order.",
        discussion: """
            Temporary goes first, caches next, what is marked as last resort last, and what is \
            essential never. Only purge, room, clean, tasks, catalogue clean, trash empty, trash \
            put --permanently, dir check, dir reset, dir remove --contents and cache compact \
            delete, serve and sweep by themselves where the configuration says act, and serve in \
            every mode what a person has confirmed in the dashboard or by the API; protect puts \
            encrypted files in place of plain ones; mark, forget, dir add and audit --fix change \
            marks and what backup programs read; trash moves; every other command looks.

            Sizes: 500MB, 2GiB, 10%. Ages: 10d, 36h, 1w.
            Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 target not reached, 4 partly done, \
            130 interrupted.
            """,
        version: version,
        subcommands: [
            StatusCommand.self, ScanCommand.self, PlanCommand.self, PurgeCommand.self,
            ExplainCommand.self, LogCommand.self, SimulateCommand.self, MarkCommand.self,
            ForgetCommand.self, DirCommand.self, AuditCommand.self, CatalogueCommand.self,
            CleanCommand.self, TasksCommand.self, TrashCommand.self, RoomCommand.self,
            LeaseCommand.self, CacheCommand.self, ProtectCommand.self, UnlockCommand.self,
            LockCommand.self, DoctorCommand.self, TmpfilesCommand.self,
            ConfigCommand.self, ForecastCommand.self, ServeCommand.self, SweepCommand.self,
        ]
    )

    public init() {}

    /// Runs the program and ends the process.
    public static func run(_ arguments: [String]) -> Never {
        let code = (begin() ?? status(arguments)).rawValue
        #if canImport(Glibc)
        Glibc.exit(code)
        #else
        Darwin.exit(code)
        #endif
    }

    /// What comes before every command, and before anything is opened or looked at.
    ///
    /// - Returns: the exit code if there is no going on.
    private static func begin() -> ExitCode? {
        guard StandardStreams.replaceClosed() else {
            Diagnostics.say(
                "A standard stream is closed, and /dev/null cannot be opened in its place. Start "
                    + "it with all three, as in: headroom … </dev/null >/dev/null")
            return ExitStatus.failed.code
        }
        Interruption.ignoreFileSizeLimit()
        guard let problem = GivenText.problem else { return nil }
        Diagnostics.say(problem)
        return ExitStatus.usage.code
    }

    /// Runs the program and returns its exit code.
    static func status(_ arguments: [String]) -> ExitCode {
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
            return .success
        } catch let error as HeadroomError {
            return report(
                error.message, error.code.description, asJSON: arguments.contains("--json"))
        } catch let error as ProtectionError {
            return report(
                error.message, error.code.description, asJSON: arguments.contains("--json"))
        } catch {
            return report(error)
        }
    }

    /// Says what went wrong in a command; programs that asked for JSON get a document too.
    private static func report(_ message: String, _ code: String, asJSON: Bool) -> ExitCode {
        Diagnostics.say(message)
        if asJSON {
            var json = JSONOutput(isIndented: false) {
                try FileDescriptor.standardOutput.writeAll($0)
            }
            // The message has been said; that nobody reads the document as well is no news.
            try? json.document("headroom.error/1") { json in
                json.field("code", code)
                json.field("message", message)
            }
        }
        return ExitStatus.failed.code
    }

    /// Prints help, or what is wrong with the arguments.
    private static func report(_ error: any Error) -> ExitCode {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        guard code != .success else {
            Swift.print(message)
            return code
        }
        // The argument parser's own code for wrong usage is 64 (EX_USAGE).
        let isUsage = code == .validationFailure
        if !message.isEmpty {
            Diagnostics.write(isUsage ? message : "headroom: \(message)")
        }
        return isUsage ? ExitStatus.usage.code : code
    }
}
