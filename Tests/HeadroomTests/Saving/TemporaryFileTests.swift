//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R3: temporary files, and what dead processes leave.
struct TemporaryFileTests {
    private struct Interruption: Error {}

    @Test(.tags(.r3f)) func r3ATemporaryFileEndsWithItsScope() throws {
        let fixture = try StorageFixture()
        let url = try fixture.storage.withTemporaryFile(named: "upload.mov") { url in
            try Data("content".utf8).write(to: url)
            #expect(url.lastPathComponent.hasSuffix("-upload.mov"))
            #expect(try fixture.names(fixture.temporary) == [url.lastPathComponent])
            let status = try fixture.tree.status(
                of: "\(fixture.temporary)/\(url.lastPathComponent)")
            #expect(status.permissions == 0o600)
            return url
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(throws: Interruption.self) {
            try fixture.storage.withTemporaryFile { _ in throw Interruption() }
        }
        #expect(try fixture.names(fixture.temporary).isEmpty)
    }

    @Test func r3ATemporaryFileMayBeUsedAcrossSuspensions() async throws {
        let fixture = try StorageFixture()
        let storage = fixture.storage
        let name = try await storage.withTemporaryFile { url in
            await Task.yield()
            // It is leased: what is temporary goes first, but not this.
            let room = await #expect(throws: StorageError.self) {
                try await storage.makeRoom(
                    for: .gigabytes(1000), intent: .essential, freesWhatItCan: true)
            }
            #expect(room?.code == .insufficientSpace)
            #expect(FileManager.default.fileExists(atPath: url.path))
            return url.lastPathComponent
        }
        #expect(!name.isEmpty)
        #expect(try fixture.names(fixture.temporary).isEmpty)
    }

    @Test func r3WhatWasMovedAwayStays() throws {
        let fixture = try StorageFixture()
        try fixture.tree.directory("elsewhere")
        let target = fixture.tree.path("elsewhere/kept").string
        try fixture.storage.withTemporaryFile { url in
            try FileManager.default.moveItem(atPath: url.path, toPath: target)
            // Whoever has the name now is not ours.
            try Data("other".utf8).write(to: url)
        }
        #expect(FileManager.default.fileExists(atPath: target))
        #expect(try fixture.names(fixture.temporary).count == 1)
    }

    @Test(arguments: ["a/b", "..", "/x", ".headroom-x"])
    func r3ASuffixThatLeadsElsewhereIsRefused(suffix: String) throws {
        let fixture = try StorageFixture()
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.withTemporaryFile(named: suffix) { _ in }
        }
        #expect(error?.code == .invalidName)
    }

    @Test(.tags(.r3f)) func r3OrphansOfDeadProcessesGoAtTheNextLaunch() async throws {
        let fixture = try StorageFixture()
        try fixture.tree.directory("home/Documents/Trip")
        try fixture.tree.directory("home/.cache/Podcaster/a")
        try await fixture.storage.save(Data("x".utf8), as: .temporary, named: "kept")
        let orphans: [TreePath] = [
            "home/Documents/Trip/.headroom-saving-1f", "home/.cache/Podcaster/a/.headroom-saving-2",
            "\(fixture.temporary)/headroom-temporary-3-upload.mov",
        ]
        let others: [TreePath] = [
            "home/Documents/Trip/photo.jpg", "home/Documents/headroom-temporary-3",
            "home/Documents/.headroom-saving-", "home/.cache/Other/.headroom-saving-4",
        ]
        try fixture.tree.directory("home/.cache/Other")
        for path in orphans + others { try fixture.tree.file(path, text: "x") }

        // Just now they may be somebody's who has not locked them yet.
        let early = await fixture.storage.start()
        #expect(early.removedOrphans == 0)
        let report = try await fixture.storage(after: .seconds(120)).start()
        #expect(report.removedOrphans == 3)
        #expect(report.freed > .zero)
        for path in orphans { #expect(!fixture.tree.exists(path), "\(path)") }
        for path in others { #expect(fixture.tree.exists(path), "\(path)") }
        #expect(try fixture.names(fixture.temporary) == ["kept"])
    }

    @Test(.tags(.r3f)) func r3WhatIsStillInUseIsNoOrphan() async throws {
        let fixture = try StorageFixture()
        let later = try fixture.storage(after: .seconds(120))
        try await fixture.storage.withTemporaryFile { url in
            let report = await later.start()
            #expect(report.removedOrphans == 0)
            #expect(FileManager.default.fileExists(atPath: url.path))
        }
        let room = try await fixture.storage.makeRoom(
            for: ByteCount(10_000), intent: .essential,
            at: URL(filePath: fixture.tree.path("home/film").string))
        #expect(await later.start().removedOrphans == 0)
        #expect(room.file != nil)
    }

    @Test(.tags(.r3c), arguments: ["save", "temporary"])
    func r3AKilledProcessLeavesNothingThatStays(what: String) async throws {
        let fixture = try StorageFixture()
        let driver = try fixture.startDriver(["unfinished", what])
        #expect(try driver.readOutput(until: "begun"))
        let place: TreePath =
            what == "save" ? "home/.cache/Racer" : "home/tmp/Racer-\(User.effective)"
        #expect(try fixture.names(place).count == 1)
        driver.send(9)
        _ = try driver.wait()
        let racer = try Storage(
            home: fixture.tree.path("home"),
            environment: ["TMPDIR": fixture.tree.path("home/tmp").string], owner: "Racer",
            ledgerDirectory: fixture.tree.path("ledger"),
            clock: { Timestamp.wallClock().advanced(by: .seconds(120)) })
        #expect(await racer.start().removedOrphans == 1)
        #expect(try fixture.names(place).isEmpty)
    }
}
