//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// `headroom room`
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Make room for something that is to be written, and keep it for a command.",
        usage: "headroom room <size> [--intent <intent>] [--at <path>] [--yes] [-- <command> …]",
        discussion: """
            Frees only what is missing, and nothing at all if it would not be enough. With a command \
            the room is kept from other users of Headroom for as long as that runs; the exit code is \
            the command's then. Else: 0 there is room, 3 there is not, and nothing was deleted.

            essential   may spend temporary, cache and last resort
            requested   may spend temporary and cache; the critical threshold stays free
            optional    may spend temporary, and caches that are expired or over their limit; the \
            warning threshold stays free
            """)

    @Argument(
        help: ArgumentHelp("How much is to be written: 500MB, 2GiB.", valueName: "size"),
        transform: Values.positiveSize)
    var size: ByteCount

    @Option(help: "Why, and so what may be spent: essential, requested or optional.")
    var intent = RoomIntent.requested

    @Option(help: ArgumentHelp("Where it is to be written.", valueName: "path"))
    var at = "."

    @Flag(name: [.short, .long], help: "Do not ask before something is purged.")
    var yes = false

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after “--”.")
    var command: [String] = []

    enum RoomIntent: String, ExpressibleByArgument, CaseIterable {
        case essential, requested, optional

        var intent: Intent {
            switch self {
            case .essential: .essential
            case .requested: .requested
            case .optional: .optional
            }
        }
    }

    func validate() throws {
        if output.json, !command.isEmpty {
            throw ValidationError(
                "--json and a command exclude each other: standard output is the command's.")
        }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(
            forWriting: true, heedsConfiguration: true, minIdle: idle.value)
        let job = RoomJob(
            request: RoomRequest(
                workspace: workspace, place: try Paths.absolute(at), intent: intent.intent,
                requester: Session.requester),
            size: size, output: output, isForCommand: !command.isEmpty)
        let room = try job.run(asks: !yes)
        guard !command.isEmpty else { return room.finish() }
        Interruption.handBack()
        try room.execute(command)
    }
}
