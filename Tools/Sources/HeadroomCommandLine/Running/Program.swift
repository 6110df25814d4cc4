//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser
package import HeadroomEngine
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How each of Headroom's programs begins, runs a command and ends.
package enum Program {
    /// The version of all of them: they are released together.
    package static let version = "0.1.0"

    /// Runs a command and ends the process.
    ///
    /// - Parameters:
    ///   - root: the commands of the program.
    ///   - arguments: the arguments without the program's name.
    ///   - failure: an error that keeps the command from running. It is reported as if the command had thrown it.
    package static func run(
        _ root: any ParsableCommand.Type, _ arguments: [String], failure: HeadroomError? = nil
    ) -> Never {
        let code = (begin() ?? status(root, arguments, failure)).rawValue
        #if canImport(Glibc)
        Glibc.exit(code)
        #else
        Darwin.exit(code)
        #endif
    }

    /// Checks the standard streams and the arguments before anything is opened.
    ///
    /// - Returns: the exit code if the program must end here.
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

    /// Runs a command and returns its exit code.
    private static func status(
        _ root: any ParsableCommand.Type, _ arguments: [String], _ failure: HeadroomError?
    ) -> ExitCode {
        do {
            if let failure { throw failure }
            var command = try root.parseAsRoot(arguments)
            try command.run()
            return .success
        } catch let error as any CommandError {
            return report(error, asJSON: arguments.contains("--json"))
        } catch {
            return report(error, root)
        }
    }

    /// Prints the error of a command; with `--json`, a JSON document too.
    private static func report(_ error: any CommandError, asJSON: Bool) -> ExitCode {
        Diagnostics.say(error.message)
        if asJSON {
            var json = JSONWriter(isIndented: false) {
                try FileDescriptor.standardOutput.writeAll($0)
            }
            // The message has been printed; there is nowhere to report that the document was not read.
            try? json.document("headroom.error/1") { json in
                json.member("code", error.codeName)
                json.member("message", error.message)
            }
        }
        return ExitStatus.failed.code
    }

    /// Prints help, or what is wrong with the arguments.
    private static func report(
        _ error: any Error, _ root: any ParsableCommand.Type
    ) -> ExitCode {
        let code = root.exitCode(for: error)
        let message = root.fullMessage(for: error)
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
