//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

/// A podcast downloader for the terminal that leaves the looking after its files to Headroom.
@main
struct Podcaster {
    static let usage = """
        podcaster [--container DIRECTORY] [--as-version VERSION] COMMAND

          subscribe URL        reads a feed, and keeps its pictures as cache
          list                 the episodes, and what is here of them
          get N [--essential]  downloads an episode: kept until nothing else can go,
                               or for good
          keep N, unkeep N     exempts an episode from every purge, or no longer
          why N                what an episode is, and when it would go
          note N TEXT          adds a note of yours to Documents
          pack                 packs your notes into one file there
          transcript N         takes a transcript of an episode from standard input
          draw N               draws how loud an episode is
          cover N FILE         shows a picture of yours for an episode
          heard N              puts an episode down in your history
          clip N               cuts its beginning out; clips go by themselves
          reset                empties the clips at once
          remove N             throws an episode away, and asks whether to undo that
          clean [SECTION]      what can be cleaned by hand, or cleans a section of it
          tasks FILE           carries out the clean-up tasks of a PurgeableCache.plist
          tidy SIZE            makes the pictures fewer, and the history shorter
          mix FILE             joins all episodes that are here into one long file
          room [SIZE]          what there is room for
          goes SIZE            what would go to free so much; deletes nothing
          audit [--fix]        what is in the backup and should not be, and so on
          mark FILE            marks a file or directory as last resort
          unmark FILE          takes its mark back
          forget FILE          takes all of Headroom off it, and off what is in it
          where                where things are
        """

    static func main() async {
        do {
            var arguments = Arguments(CommandLine.arguments.dropFirst())
            let storage =
                try arguments.option("--container").map { path throws in
                    try Storage(container: URL(filePath: path), owner: "Podcaster")
                } ?? Storage.app(owner: "Podcaster")
            storage.register(History(storage: storage))
            // Before anything else needs the room.
            tell(about: await storage.start(version: try arguments.option("--as-version") ?? "1.0"))
            try await App(storage: storage).run(&arguments)
        } catch let error as UsageError {
            tell("podcaster: \(error.message)\n\n\(usage)")
            exit(2)
        } catch let error as StorageError {
            tell(paragraph("podcaster: \(error.message)", indent: 0))
            if let receipt = error.receipt { tell("Freed before: \(receipt.expected)") }
            exit(error.code == .insufficientSpace ? 3 : 1)
        } catch {
            tell("podcaster: \(error)")
            exit(1)
        }
    }

    /// What the launch has found and done, if it was anything.
    static func tell(about launch: LaunchReport) {
        if launch.removedOrphans > 0 {
            tell("Removed \(launch.removedOrphans) unfinished files, \(launch.freed).")
        }
        if let leftovers = launch.leftovers {
            tell("Removed leftovers of the system: \(leftovers.removedCount).")
        }
        for check in launch.directories.directories where check.removed > 0 {
            let name = check.registration.area.root.lastComponent?.string ?? ""
            tell("\(name): \(check.freed) in \(check.removed) files have gone.")
        }
        // After an update, and once a day.
        for module in launch.modules?.modules ?? [] where module.outcome != .notNeeded {
            tell("\(module)")
        }
        // Another program has replaced the file.
        for restored in launch.lostMarks where !restored.lost.reported.isEmpty {
            let name = restored.lost.path.lastComponent?.string ?? ""
            tell("\(name) has lost its mark; `podcaster mark` sets it anew.")
        }
    }

    /// Everything that is no result.
    static func tell(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

/// What the commands work with.
struct App {
    let storage: Storage

    func run(_ arguments: inout Arguments) async throws {
        switch try arguments.next("a command") {
        case "subscribe": try await subscribe(to: arguments.url())
        case "list": try await list()
        case "get":
            let isEssential = arguments.flag("--essential")
            try await get(arguments.number(), isEssential ? .essential : .requested)
        case "keep": try keep(arguments.number(), .pinned)
        case "unkeep": try keep(arguments.number(), .unpinned)
        case "why": try await explain(arguments.number())
        case "note": try await note(arguments.number(), arguments.next("the text of the note"))
        case "pack": try await pack()
        case "transcript": try await transcript(arguments.number())
        case "draw": try await draw(arguments.number())
        case "cover": try await cover(arguments.number(), arguments.file())
        case "heard": try await heard(arguments.number())
        case "clip": try await clip(arguments.number())
        case "reset": await reset()
        case "remove": try await remove(arguments.number())
        case "clean": try await clean(arguments.isEmpty ? nil : arguments.next("a section"))
        case "tasks": try await runTasks(of: arguments.file())
        case "tidy": try await tidy(to: arguments.size())
        case "mix": try await mix(into: arguments.file())
        case "room": try await room(arguments.isEmpty ? nil : arguments.size())
        case "goes": try await showPlan(freeing: arguments.size())
        case "audit": try await audit(fixes: arguments.flag("--fix"))
        case "mark": try mark(arguments.file())
        case "unmark": try unmark(arguments.file())
        case "forget": try await forget(arguments.file())
        case "where": showPlaces()
        case let other: throw UsageError("There is no command “\(other)”.")
        }
    }
}
