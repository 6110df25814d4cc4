//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The state directory of an app")
struct StateDirectoryTests {
    private let base: TemporaryDirectory

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.directory("home")
    }

    private func url(_ name: String) -> URL { URL(filePath: base.path.appending(name).string) }

    @Test("The ledger is kept where the app says", .tags(.r1a))
    func isChosenByTheApp() throws {
        let storage = try Storage(
            home: url("home"), owner: "Podcaster", stateDirectory: url("state/podcaster"))
        #expect(storage.stateDirectory.path == url("state/podcaster").path)
        let file = try storage.save(Data("x".utf8), as: .essential(.appData), named: "one")
        try storage.mark(file, .pinned)
        #expect(base.tree.exists("state/podcaster/ledger.log"))
        try storage.makeRoom(for: .mebibytes(1), intent: .essential).finish()
        #expect(base.tree.exists("state/podcaster/reservations"))
    }

    @Test(
        "An app that runs here and a container keep their ledgers where the app says, too",
        .tags(.r1a))
    func everyKindOfStorageHeedsIt() throws {
        for name in ["Documents", "Library/Caches", "tmp"] {
            try base.tree.directory(TreePath("container/" + name))
        }
        let directory = url("state/podcaster")
        let app = try Storage.app(owner: "Podcaster", stateDirectory: directory)
        #expect(app.stateDirectory.path == directory.path)
        let container = try Storage(
            container: url("container"), owner: "Podcaster", stateDirectory: directory)
        #expect(container.stateDirectory.path == directory.path)
    }

    @Test("Apps with state directories of their own do not know each other's marks")
    func separatesApps() throws {
        let storages = try ["a", "b"].map { name in
            try Storage(home: url("home"), owner: "Podcaster", stateDirectory: url(name))
        }
        let file = try storages[0].save(Data("x".utf8), as: .cache, named: "maps/one")
        _ = try storages[0].purgeableDirectory("maps", limit: .megabytes(1))
        #expect(storages[0].purgeableDirectories.count == 1)
        #expect(storages[1].purgeableDirectories.isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test(
        "What is no absolute path of a file URL is rejected",
        arguments: ["https://example.com/x", "file:///"])
    func rejectsOthers(text: String) throws {
        let url = try #require(URL(string: text))
        for make: () throws -> Storage in [
            { try Storage(home: self.url("home"), owner: "Podcaster", stateDirectory: url) },
            { try Storage.app(owner: "Podcaster", stateDirectory: url) },
        ] {
            let error = #expect(throws: StorageError.self) { _ = try make() }
            #expect(error?.code == .refused)
        }
    }
}
