//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
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

/// R9 and R37, through what apps import.
@Suite("R9: lost and forgotten marks of an app")
struct StorageMarkTests {
    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture(on: .disk) }

    private func episode() throws -> URL {
        try fixture.storage.save(
            Data("x".utf8), as: .essential(.userContent), named: "one.mp3")
    }

    @Test func aMarkThatAnotherProgramLostIsTold() throws {
        let url = try episode()
        try fixture.storage.mark(url, .pinned)
        #expect(fixture.storage.lostMarks() == [])
        try fixture.tree.file("home/Documents/new", text: "another program's")
        try fixture.tree.rename("home/Documents/new", to: "home/Documents/one.mp3")
        let lost = fixture.storage.lostMarks()
        #expect(lost.map(\.cause) == [.replaced])
        #expect(lost.map(\.restored) == [Mark(isPinned: true)])
    }

    @Test func theStartPutsBackWhatProtects() async throws {
        let url = try await fixture.storage.save(
            Data("x".utf8), as: .essential(.userContent), named: "one.mp3")
        try fixture.storage.mark(url, .pinned, .purgeable)
        try fixture.tree.file("home/Documents/new", text: "another program's")
        try fixture.tree.rename("home/Documents/new", to: "home/Documents/one.mp3")
        let report = await fixture.storage.start()
        #expect(report.lostMarks.map(\.lost.restored) == [Mark(isPinned: true)])
        #expect(report.lostMarks.map(\.failure) == [nil])
        #expect(try fixture.storage.mark(of: url) == Mark(isPinned: true))
    }

    @Test(.tags(.r3d)) func aFileThatIsSavedAnewLosesNothing() throws {
        let url = try episode()
        try fixture.storage.mark(url, .lastResort, .pinned)
        #expect(try episode() == url)
        #expect(fixture.storage.lostMarks() == [])
    }

    @Test func forgettingTakesEverythingOff() throws {
        let url = try episode()
        try fixture.storage.mark(url, .lastResort, .noBackup)
        let forgotten = try fixture.storage.forget(url)
        #expect(forgotten.marks.map(\.path) == [FilePath(url.path)])
        #expect(try fixture.storage.mark(of: url) == .none)
        #expect(try fixture.storage.backupExclusion(of: url) == .none)
    }

    @Test func withoutBlocking() async throws {
        let url = try await fixture.storage.save(
            Data("x".utf8), as: .essential(.appData), named: "index")
        #expect(await fixture.storage.lostMarks() == [])
        #expect(try await fixture.storage.forget(url).isEmpty)
    }

    @Test(
        "Rejects what lies outside of the app's own storage", .tags(.r21d),
        arguments: ["home/.cache/Other/x", "home/work/x", "home/.config/x", "elsewhere/x"])
    func rejectsForeignPaths(path: String) throws {
        try fixture.tree.file(TreePath(path), text: "x")
        let url = URL(filePath: fixture.tree.path(TreePath(path)).string)
        let storage = fixture.storage
        for attempt: () throws -> Void in [
            { try storage.mark(url, .purgeable) }, { try storage.mark(url, .pinned) },
            { try storage.excludeFromBackup(url) }, { try storage.includeInBackup(url) },
            { try storage.clearMark(of: url) }, { try storage.forget(url) },
        ] {
            let error = #expect(throws: StorageError.self) { try attempt() }
            #expect(error?.code == .refused)
            #expect(error?.message.contains("allowingForeignPaths") == true)
        }
        #expect(try storage.mark(of: url) == .none)
        try storage.mark(url, .lastResort, allowingForeignPaths: true)
        #expect(try storage.mark(of: url).purgeClass == .lastResort)
        try storage.clearMark(of: url, allowingForeignPaths: true)
        #expect(try storage.mark(of: url) == .none)
    }

    @Test(
        "Repairs what lies outside of the app's own storage only if that is asked for", .tags(.r12e)
    )
    func repairsForeignPathsOnlyIfAsked() throws {
        try fixture.tree.file("home/Downloads/film.mp4", text: "film")
        let url = URL(filePath: fixture.tree.path("home/Downloads/film.mp4").string)
        let storage = fixture.storage
        try storage.mark(url, .pinned, allowingForeignPaths: true)
        try fixture.tree.file("home/Downloads/new", text: "another program's")
        try fixture.tree.rename("home/Downloads/new", to: "home/Downloads/film.mp4")
        let audit = try storage.audit()
        let refused = storage.repair(audit)
        #expect(refused.map(\.finding.code) == [.lostMark])
        #expect(refused.map { $0.failure?.contains("does not lie in this app") } == [true])
        #expect(storage.lostMarks().count == 1)
        #expect(storage.repair(audit, allowingForeignPaths: true).map(\.failure) == [nil])
    }

    @Test("What may never be purged cannot be marked, foreign paths allowed or not")
    func rejectsRolesEvenIfAsked() throws {
        try fixture.tree.directory("home/Documents")
        for path in ["home", "home/Documents"] {
            let url = URL(filePath: fixture.tree.path(TreePath(path)).string)
            let error = #expect(throws: StorageError.self) {
                try fixture.storage.mark(url, .purgeable, allowingForeignPaths: true)
            }
            #expect(error?.code == .refused)
        }
    }

    @Test("Marks what lies in the app's own directories through a link to them")
    func marksThroughALink() throws {
        try fixture.tree.directory("disk/cache")
        try fixture.tree.symbolicLink("home/.cache", to: "../disk/cache")
        let url = try fixture.storage.save(Data("x".utf8), as: .cache, named: "one")
        try fixture.storage.mark(url, .pinned)
        #expect(try fixture.storage.mark(of: url).isPinned == true)
    }

    @Test func whatLiesOutsideIsNotForgotten() throws {
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.forget(URL(filePath: fixture.base.path.string))
        }
        #expect(error?.code == .refused)
    }
}
