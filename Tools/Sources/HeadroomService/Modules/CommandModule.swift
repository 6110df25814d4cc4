//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A module of the configuration: a command that says what it uses, and one that cleans.
///
/// They are run without a shell, as the user of the service, who is the owner of their configuration, with `/`
/// as their directory. One that does not end in its time is told to (SIGTERM), and is not called again before
/// it has; it is never killed, since it may be in the middle of something.
public struct CommandModule: StorageModule {
    public let id: String
    public let displayName: String
    public let quota: ByteCount?
    public let timeLimit: Duration?
    private let usageCommand: [String]
    private let cleanCommand: [String]
    private let owner: UInt32
    private let environment: [String: String]

    /// - Parameters:
    ///   - usage: a program by its path, and its arguments. It prints a number of bytes.
    ///   - clean: the same. It reads a JSON object on standard input: `level`, `trigger`, `bytesWanted`,
    ///     `allowedClass`, `seconds`.
    ///   - owner: of the file that declares it.
    public init(
        id: String, name: String, quota: ByteCount?, timeLimit: Duration?, usage: [String],
        clean: [String], owner: UInt32, environment: [String: String]
    ) {
        self.id = id
        displayName = name
        self.quota = quota
        self.timeLimit = timeLimit
        usageCommand = usage
        cleanCommand = clean
        self.owner = owner
        self.environment = environment
    }

    public func usage() async throws -> ByteCount {
        let output = try await run(usageCommand, input: [], limit: nil)
        let words = output.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
        guard words.count == 1, let bytes = Int64(String(decoding: words[0], as: UTF8.self)),
            bytes >= 0
        else {
            throw CommandModuleError(
                "\(usageCommand[0]) printed “\(String(decoding: output.prefix(80), as: UTF8.self))”. "
                    + "It is to print how many bytes are in use, as a number and nothing else.")
        }
        return ByteCount(bytes)
    }

    public func clean(_ request: CleaningRequest) async throws {
        let left = ContinuousClock.now.duration(to: request.deadline)
        let body: [String: Request.Value] = [
            "level": .text(request.level.name), "trigger": .text(request.trigger.name),
            "bytesWanted": .number(request.bytesWanted.bytes),
            "allowedClass": .text(request.allowedClass.purgeClass.name),
            "seconds": .number(max(1, left.components.seconds)),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        _ = try await run(
            cleanCommand, input: Array(try encoder.encode(body)) + [0x0A], limit: left)
    }

    private enum Request {
        enum Value: Encodable {
            case text(String)
            case number(Int64)

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .text(let text): try container.encode(text)
                case .number(let number): try container.encode(number)
                }
            }
        }
    }

    /// - Returns: what it wrote to standard output.
    private func run(
        _ words: [String], input: [UInt8], limit: Duration?
    ) async throws -> [UInt8] {
        guard let program = words.first, program.hasPrefix("/") else {
            throw CommandModuleError("The command is to begin with the path of a program.")
        }
        // A file of root's is as good as one's own: what it names is run with no more than we may do.
        // mutation: r26d-1 (5 lines)
        guard owner == User.effective || owner == 0 else {
            throw CommandModuleError(
                "\(program) was declared by user \(owner), and the service runs as user "
                    + "\(User.effective): it is not run.")
        }
        var command = ToolCommand(
            FilePath(program), Array(words.dropFirst()), environment: environment,
            limit: limit ?? timeLimit ?? .seconds(30))
        command.input = input
        command.keepsErrors = false
        command.isKilled = false
        let outcome = try await command.runAside()
        if outcome.isTimedOut || outcome.isCancelled {
            throw CommandModuleError("\(program) did not end in its time, and was told to.")
        }
        guard outcome.exitCode == 0 else {
            throw CommandModuleError(
                outcome.exitCode.map { "\(program) ended with exit code \($0)." }
                    ?? "\(program) was ended by a signal.")
        }
        return outcome.output
    }
}

/// What went wrong with a module's command, in a sentence.
package struct CommandModuleError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
