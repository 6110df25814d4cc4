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

@Suite("R31, S1: an app's user throws files away")
struct StorageDisposalTests {
    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    private func url(_ path: TreePath) -> URL {
        URL(filePath: fixture.base.tree.path(path).string)
    }

    @Test func aFileGoesToTheTrashAndComesBack() async throws {
        let photo = try await fixture.storage.save(
            Data("photo".utf8), as: .essential(.userContent), named: "Trip/photo.jpg")
        let selection = await fixture.storage.select(userFiles: [photo])
        #expect(selection.files.count == 1)
        #expect(selection.freesWhenEmptied > .zero)
        let receipt = await fixture.storage.dispose(of: selection)
        #expect(receipt.removedCount == 1)
        #expect(receipt.expected == .zero)
        #expect(!FileManager.default.fileExists(atPath: photo.path))
        let back = try await fixture.storage.undo(receipt)
        #expect(back.removedCount == 1)
        #expect(try Data(contentsOf: photo) == Data("photo".utf8))
        await #expect(throws: StorageError.self) { try await fixture.storage.undo(receipt) }
    }

    @Test func whatIsNotTheAppsOwnIsRefused() throws {
        try fixture.base.tree.file("home/Pictures/other.jpg", text: "not ours")
        try fixture.base.tree.file("home/Documents/ours.txt", text: "ours")
        for path in [
            "home", "home/Documents", "home/Pictures/other.jpg", "home/.local", "ledger", "tmp",
        ] as [TreePath] {
            let selection = fixture.storage.select(userFiles: [url(path)])
            #expect(selection.isEmpty, "\(path)")
            #expect(selection.refused.count == 1, "\(path)")
            #expect(fixture.storage.dispose(of: selection).removedCount == 0)
        }
        #expect(!fixture.storage.select(userFiles: [url("home/Documents/ours.txt")]).isEmpty)
    }

    @Test(.tags(.r2c)) func aContainersPreferencesAndBundleAreRefused() throws {
        let base = try TemporaryDirectory(on: .memory)
        for path in [
            "app/Documents/a", "app/Library/Preferences/p.plist", "app/tmp/t",
            "app/Library/Caches/c", "app/Documents/Inbox/mail", "app/Podcaster.app/Info.plist",
        ] as [TreePath] { try base.tree.file(path, text: "x") }
        let storage = try Storage(
            container: URL(filePath: base.path.appending("app").string), owner: "Podcaster",
            ledgerDirectory: base.path.appending("ledger"))
        func isAllowed(_ name: String) -> Bool {
            let path = base.path.appending("app").appending(name)
            return !storage.select(userFiles: [URL(filePath: path.string)]).isEmpty
        }
        #expect(isAllowed("Documents/a"))
        // Read and delete only (R2): what lies in it, and not the place itself.
        #expect(isAllowed("Documents/Inbox/mail"))
        #expect(!isAllowed("Documents/Inbox"))
        for name in [
            "Library/Preferences/p.plist", "Library/Preferences", "Documents", "Library",
            "Podcaster.app", "Podcaster.app/Info.plist", "tmp", "Library/Caches",
        ] { #expect(!isAllowed(name), "\(name)") }
    }

    @Test func anAppNeverEmptiesAPersonsTrash() async throws {
        try fixture.base.tree.file("home/Documents/a", size: .kilobytes(100))
        let storage = fixture.storage
        await storage.dispose(
            of: await storage.select(userFiles: [url("home/Documents/a")]))
        let later = try fixture.storage(after: .seconds(60 * 86_400))
        let plan = try await later.plan(freeing: .gigabytes(1))
        #expect(!plan.contains { $0.purgeClass == .trash })
    }
}
