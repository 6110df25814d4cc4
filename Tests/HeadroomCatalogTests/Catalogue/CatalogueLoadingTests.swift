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

@Suite("R32: drop-in files of the catalogue")
struct CatalogueLoadingTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("etc")
        try directory.tree.directory("home/.config/headroom/catalogue.d")
    }

    private func write(_ path: TreePath, id: String, name: String) throws {
        try directory.tree.file(
            path,
            text: """
                [\(id)]
                name = \(name)
                what = What it keeps
                path = ~/.\(id)/cache
                cost = It is made again
                source = https://example.com

                """)
    }

    private func load(user: UInt32 = User.effective) -> Catalogue {
        Catalogue.load(
            environment: CatalogueEnvironment(
                variables: [:], home: directory.path.appending("home"), platform: .linux),
            systemDirectory: directory.path.appending("etc"), user: user)
    }

    private func chown(_ owner: UInt32, _ path: String) throws {
        let result = try ChildProcess.run(
            "chown", ["\(owner)", directory.path.appending(path).string])
        #expect(result.succeeded)
    }

    @Test func theUsersFileHoldsOverTheMachinesAndBothOverOurs() throws {
        try write("etc/10-a.catalogue", id: "pip", name: "The machine's pip")
        try write("etc/20-b.catalogue", id: "ours", name: "The machine's")
        try write("home/.config/headroom/catalogue.d/a.catalogue", id: "ours", name: "Mine")
        try write("etc/ignored.conf", id: "ignored", name: "Ignored")
        let catalogue = load()
        #expect(catalogue.notes == [])
        #expect(catalogue.entry("pip")?.name == "The machine's pip")
        #expect(catalogue.entry("ours")?.name == "Mine")
        #expect(catalogue.entry("ours")?.origin?.hasSuffix("catalogue.d/a.catalogue") == true)
        #expect(catalogue.entry("ignored") == nil)
        #expect(catalogue.entries.count == Catalogue.standard.entries.count + 1)
    }

    @Test func aBadFileIsLeftOutWithANoteAndTheRestHolds() throws {
        try directory.tree.file("etc/bad.catalogue", text: "[x]\nnonsense\n")
        try write("etc/good.catalogue", id: "good", name: "Good")
        let catalogue = load()
        #expect(catalogue.entry("good") != nil)
        #expect(catalogue.entry("x") == nil)
        let note = try #require(catalogue.notes.first?.text)
        #expect(note.contains("Line 2"))
        #expect(note.contains("etc/bad.catalogue"))
    }

    @Test(
        .enabled(if: User.isRoot, "needs root: files of another owner are made"),
        arguments: [(UInt32(1234), UInt16(0o644)), (0, 0o664), (0, 0o646)])
    func rootReadsNothingThatOthersCouldHaveWritten(owner: UInt32, mode: UInt16) throws {
        try write("etc/a.catalogue", id: "ours", name: "Ours")
        try chown(owner, "etc/a.catalogue")
        try directory.tree.setPermissions(mode, of: "etc/a.catalogue")
        let catalogue = load()
        #expect(catalogue.entry("ours") == nil)
        #expect(catalogue.notes.first?.text.contains("somebody else could have written it") == true)
    }

    @Test(.enabled(if: User.isRoot, "needs root: a directory of another owner is made"))
    func rootReadsNothingInADirectoryOfAnother() throws {
        try write("etc/a.catalogue", id: "ours", name: "Ours")
        try chown(1234, "etc")
        let catalogue = load()
        #expect(catalogue.entry("ours") == nil)
        #expect(catalogue.notes.count == 1)
    }

    @Test func aMissingDirectoryIsNoFault() throws {
        let catalogue = Catalogue.load(
            environment: CatalogueEnvironment(
                variables: [:], home: directory.path.appending("nobody"), platform: .linux),
            systemDirectory: directory.path.appending("missing"))
        #expect(catalogue == Catalogue.standard)
    }
}
