//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

extension App {
    /// Takes a transcript from standard input, as the program that listens to the episode writes it. To
    /// make it anew takes as long as that: last resort. Nobody sees half of one.
    func transcript(_ number: Int) async throws {
        let episode = try episode(number, of: try library())
        let pieces = AsyncThrowingStream<Data, any Error>(unfolding: {
            // There is nothing else to do until it comes.
            let piece = try FileHandle.standardInput.read(upToCount: 65_536) ?? Data()
            return piece.isEmpty ? nil : piece
        })
        let saved = try await storage.save(
            pieces, as: .lastResort, named: "Transcripts/\(number).txt")
        print("\(episode.title): ~/\(relative(saved))")
    }

    /// Packs the notes into one file, to take them elsewhere. The archiver wants a name to write to: it
    /// gets one that is gone afterwards, and what it has made is saved when it is whole.
    func pack() async throws {
        let documents = storage.directory(for: .essential(.userContent))
        try await storage.withTemporaryFile(named: "notes.tar") { archive in
            try archiveNotes(of: documents, into: archive)
            let saved = try await storage.save(
                contentsOf: archive, as: .essential(.userContent), named: "Podcaster.tar")
            print("Saved ~/\(relative(saved)) (\(try await storage.size(of: saved).logical))")
        }
    }

    private func archiveNotes(of documents: URL, into archive: URL) throws {
        let archiver = Process()
        archiver.executableURL = URL(filePath: "/usr/bin/env")
        archiver.arguments = ["tar", "-cf", archive.path, "-C", documents.path, "Podcaster"]
        try archiver.run()
        archiver.waitUntilExit()
        guard archiver.terminationStatus == 0 else {
            throw StorageError(.io, "The notes could not be packed. Are there any?")
        }
    }

    /// Draws how loud an episode is. It is looked at wherever the episode is, so nothing empties it; but
    /// it can be drawn again, so no backup has to copy it. The directory says so: files are replaced.
    func draw(_ number: Int) async throws {
        let audio = try Data(contentsOf: try downloadedFile(number))
        let heights = stride(from: 0, to: audio.count, by: 4000).map { audio[$0] }
        let saved = try await storage.save(
            Data(heights), as: .essential(.appData), named: "Waveforms/\(number).wave")
        let exclusion = try await storage.excludeFromBackup(saved.deletingLastPathComponent())
        print(field("Saved", "~/" + relative(saved)))
        print(field("Backup", exclusion.isExcluded ? "left out of it" : "in it"))
    }

    /// A picture of the person's own. They have the original: the copy is cache. On a volume that is nearly
    /// full it has its room from other pictures, and from nothing that is heard.
    func cover(_ number: Int, _ picture: URL) async throws {
        var library = try library()
        _ = try episode(number, of: library)
        let size = try await storage.size(of: picture).logical
        if FileManager.default.fileExists(atPath: pictureDirectory.path) {
            let done = try await storage.cleanUp(
                pictureDirectory, beforeAdding: size, target: .megabytes(3))
            if let done {
                print(field("Pictures", "\(done.freed) went before, \(done.removed) files"))
            }
        }
        let saved = try await storage.save(
            contentsOf: picture, as: .cache,
            named: "Downloads/\(Self.pictures)/\(number).\(picture.pathExtension)")
        library.episodes[number - 1].coverName = saved.lastPathComponent
        try await save(library)
        print(field("Saved", "~/" + relative(saved)))
    }

    /// For what the person has put among the app's files by other means.
    func mark(_ file: URL) throws {
        try storage.mark(file, .lastResort)
        print("\(file.lastPathComponent): last resort")
    }

    /// Takes that back: it is what it is by its place again.
    func unmark(_ file: URL) throws {
        try storage.clearMark(of: file)
        print("\(file.lastPathComponent): no mark")
    }

    /// Leaves files to another program: takes off all that Headroom has put on them.
    func forget(_ file: URL) async throws {
        let forgotten = try await storage.forget(file)
        for failure in forgotten.failures { print(paragraph(failure, indent: 0)) }
        guard forgotten.failures.isEmpty else { return }
        print("\(file.lastPathComponent): nothing of Headroom's is left on it")
    }
}
