//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

extension App {
    /// Cuts the beginning out of an episode, to send it to a friend. Clips look after themselves: they
    /// stay for a week, and never become many.
    func clip(_ number: Int) async throws {
        let episode = try downloadedFile(number)
        let clips = try await storage.purgeableDirectory(
            "Clips", retention: .days(7), limit: .megabytes(3))
        let audio = try FileHandle(forReadingFrom: episode)
        defer { try? audio.close() }  // nothing was written to it
        let beginning = try audio.read(upToCount: 1_000_000) ?? Data()
        let name = "\(number).\(episode.pathExtension)"
        let clip = try await storage.save(
            beginning, as: .cache, named: "\(clips.lastPathComponent)/\(name)")
        print("Saved ~/\(relative(clip)) (\(try await storage.size(of: clip).logical))")
    }

    /// Empties the clips at once. They go on looking after themselves.
    func reset() async {
        for check in await storage.resetAllPurgeableDirectories().directories {
            let name = check.registration.area.root.lastComponent?.string ?? ""
            print("\(name): \(check.freed) of \(check.usage ?? .zero) went")
        }
    }

    /// Makes the pictures fewer, and asks whoever keeps more than it should.
    func tidy(to size: ByteCount) async throws {
        // They may all have gone when room was needed.
        if FileManager.default.fileExists(atPath: pictureDirectory.path) {
            let done = try await storage.cleanUp(pictureDirectory, olderThan: nil, toSize: size)
            print(field("Pictures", "\(done.freed) of \(done.before) went, \(done.removed) files"))
        }
        for module in try await storage.cleanModules().modules { print(module) }
    }

    /// A person throws an episode away, and may think better of it.
    func remove(_ number: Int) async throws {
        let selection = await storage.select(userFiles: [try downloadedFile(number)])
        for refused in selection.refused { print(paragraph(refused.reason.text, indent: 0)) }
        guard !selection.isEmpty else { return }
        let receipt = await storage.dispose(of: selection)
        print("In the trash; \(selection.freesWhenEmptied) are free once that is emptied.")
        print("Undo? [y/N] ", terminator: "")
        guard readLine() == "y" else { return print() }
        let undone = try await storage.undo(receipt)
        print("\(undone.removedCount) file is back.")
    }

    /// What a button “Clean up” would do: a file says what goes.
    func runTasks(of file: URL) async throws {
        let history = History(storage: storage)
        storage.registerCleanUpAction("History", "clear") { try await history.save([]) }
        for try await step in storage.cleanUp(try Storage.cleanUpTasks(at: file)) {
            guard let summary = step.summary else { continue }
            for problem in summary.problems { print(paragraph(problem.message, indent: 0)) }
            print("Freed \(summary.freed).")
        }
    }

    /// What can be cleaned by hand; or cleans all that is in a section.
    func clean(_ name: String?) async throws {
        var sections: [CleaningSection: CleaningUpdate] = [:]
        for await update in storage.cleanables() { sections[update.section] = update }
        guard let name else {
            for section in CleaningSection.all {
                guard let update = sections[section], !update.items.isEmpty else { continue }
                print(field(section.id, "\(update.allocated) in \(update.items.count)"))
            }
            return
        }
        guard let section = CleaningSection(id: name) else {
            throw UsageError("There is no section “\(name)”. `podcaster clean` shows them.")
        }
        let selection = CleaningSelection(sections[section]?.items ?? [])
        guard !selection.isEmpty else { return print("Nothing is there.") }
        let preview = try await storage.preview(selection)
        print("Frees \(preview.freesNow) now, \(preview.freesLater) with the trash.")
        let bar = ProgressBar(section.title)
        for try await step in storage.clean(selection) {
            bar.show(step.cleaned, of: preview.freesNow + preview.freesLater)
            guard let result = step.result else { continue }
            bar.end()
            print("Freed \(result.freed), moved \(result.movedToTrash) to the trash.")
        }
    }

    /// What the person has heard, and when.
    func heard(_ number: Int) async throws {
        let episode = try episode(number, of: try library())
        let history = History(storage: storage)
        let line = "\(Date.now.formatted(.iso8601)) \(episode.title)"
        try await history.save(try history.lines() + [line])
        print("Heard: \(episode.title)")
    }
}

/// What was heard, as a file of which old lines can be done without: only this code knows which.
struct History: StorageModule {
    let id = "history"
    let displayName = "History"
    let quota: ByteCount? = .mebibytes(1)
    let storage: Storage

    private var file: URL {
        storage.directory(for: .essential(.appData)).appending(path: "history.txt")
    }

    func usage() async throws -> ByteCount {
        guard FileManager.default.fileExists(atPath: file.path) else { return .zero }
        return try await storage.size(of: file).allocated
    }

    func clean(_ request: CleaningRequest) async throws {
        var missing = request.bytesWanted.bytes
        let kept = try lines().drop { line in
            defer { missing -= Int64(line.utf8.count) + 1 }
            return missing > 0
        }
        try await save(Array(kept))
    }

    func lines() throws -> [String] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    func save(_ lines: [String]) async throws {
        let text = lines.joined(separator: "\n") + "\n"
        try await storage.save(
            Data(text.utf8), as: .essential(.appData), named: file.lastPathComponent)
    }
}
