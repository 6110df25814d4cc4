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

/// R7: an app spends what is its own, whatever else of the same user may go.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct OwnershipTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
    }

    private func fill(_ directory: TreePath) throws {
        try fixture.tree.directory(directory)
        try fixture.tree.file(
            TreePath("\(directory)/large"), contents: [UInt8](repeating: 7, count: 30 * mebibyte))
    }

    private func shortage() throws -> StorageError? {
        #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(50), intent: .essential)
        }
    }

    @Test(.tags(.r7b)) func r7WhatAPersonMarkedElsewhereInTheHomeIsNotSpent() throws {
        try fill("home/Podcasts")
        let workspace = Workspace.open(
            environment: [:], home: fixture.tree.path("home"),
            ledgerDirectory: fixture.base.path.appending("ledger"),
            minIdle: .none, clock: { Timestamp.wallClock() })
        try workspace.mark(fixture.tree.path("home/Podcasts")) { $0.purgeClass = .lastResort }
        #expect(try shortage()?.code == .insufficientSpace)
        #expect(fixture.tree.exists("home/Podcasts/large"))
        // The person's own purge sees it.
        let plan = try workspace.scope(paths: [fixture.tree.path("home/Podcasts")], as: nil)
        #expect(plan.roots.count == 1)
    }

    @Test func r7CachesOfOtherProgramsAreNotSpent() throws {
        try fill("home/.cache/Other")
        #expect(try shortage()?.code == .insufficientSpace)
        #expect(fixture.tree.exists("home/.cache/Other/large"))
    }

    @Test func r7WhatAnotherProgramRegisteredIsNotSpent() throws {
        try fill("elsewhere/Maps")
        let ledger = Ledger.open(
            directory: fixture.base.path.appending("ledger"), readOnly: false,
            now: { Timestamp.wallClock() })
        try ledger.register(
            Area(root: fixture.tree.path("elsewhere/Maps"), purgeClass: .cache, origin: "Other"))
        #expect(try shortage()?.code == .insufficientSpace)
        #expect(fixture.tree.exists("elsewhere/Maps/large"))
    }

    @Test func r7WhatTheOwnerMarkedInItsOwnDataIsSpent() throws {
        let url = try fixture.storage.save(
            Data(repeating: 7, count: 30 * mebibyte), as: .essential(.appData), named: "map")
        #expect(try shortage()?.code == .insufficientSpace)
        try fixture.storage.mark(url, .lastResort)
        let room = try fixture.storage.makeRoom(for: .mebibytes(50), intent: .essential)
        #expect(room.receipt?.removedCount == 1)
        #expect(try fixture.names("home/.local/share/Podcaster").isEmpty)
    }

    @Test(
        .tags(.r2c),
        arguments: ["home", "home/.cache", "home/.local", "home/.local/share", "home/Documents"])
    func r2APlaceWithARoleTakesNoClass(place: TreePath) throws {
        try fixture.tree.directory("home/.local/share")
        try fixture.tree.directory(place)
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.mark(
                URL(filePath: fixture.tree.path(place).string), .purgeable)
        }
        #expect(error?.code == .refused)
        #expect(
            try fixture.storage.mark(of: URL(filePath: fixture.tree.path(place).string)) == .none)
    }
}
