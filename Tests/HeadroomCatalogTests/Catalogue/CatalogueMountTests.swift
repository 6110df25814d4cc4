//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R44: a well-known cache that is a mount point stops nothing else")
struct CatalogueMountTests {
    private func purgeAround(_ path: String) throws -> (CatalogueFixture, Receipt, [Reason]) {
        let fixture = try CatalogueFixture([".npm/_cacache/index-v5/a", ".cache/other/a"])
        try fixture.tree.file("volume/index-v5/b", size: .kilobytes(40))
        let mount = try MountedImage.bind(
            fixture.directory.path.appending("volume"), at: fixture.home.appending(path))
        defer { _ = consume mount }
        let workspace = fixture.workspace()
        let receipt = try workspace.purge([.all], through: .lastResort)
        #expect(fixture.tree.exists("volume/index-v5/b"))
        return (fixture, receipt, workspace.scope().notes)
    }

    @Test(
        "Keeps npm's cache that is mounted, says so, and purges the rest",
        .enabled(if: Privilege.canMount, "mounting needs root"))
    func mountedCache() throws {
        let (fixture, receipt, notes) = try purgeAround(".npm/_cacache")
        #expect(!fixture.exists(".cache/other/a"))
        #expect(receipt.skipped == [])
        let note = try #require(notes.first { $0.text.contains("_cacache") })
        #expect(note.text.contains("a volume is mounted there"))
    }

    @Test(
        "Skips a cache over which something was mounted after the plan, and purges the rest",
        .enabled(if: Privilege.canMount, "mounting needs root"))
    func mountedLater() throws {
        let fixture = try CatalogueFixture([
            ".npm/_cacache/index-v5/a", ".cache/pip/wheels/a", ".cache/other/a",
        ])
        try fixture.tree.file("volume/wheels/b", size: .kilobytes(40))
        let scope = fixture.workspace().scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        let volume = fixture.directory.path.appending("volume")
        let npm = try MountedImage.bind(volume, at: fixture.home.appending(".npm/_cacache"))
        let pip = try MountedImage.bind(volume, at: fixture.home.appending(".cache/pip"))
        let receipt = try scope.purge(plan, requester: "test")
        withExtendedLifetime((npm, pip)) {}
        #expect(!fixture.exists(".cache/other/a"))
        #expect(fixture.tree.exists("volume/wheels/b"))
        #expect(receipt.skippedCount >= 2)
    }
}
