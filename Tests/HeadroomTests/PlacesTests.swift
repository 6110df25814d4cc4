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

/// R1 and R2: the places of an app in a home, and what they stay.
@Suite("R1, R2: places in a home")
struct PlacesTests {
    private let base: TemporaryDirectory

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        for name in ["home", "tmp", "elsewhere"] as [TreePath] { try base.tree.directory(name) }
    }

    private func path(_ name: String) -> String { base.path.appending(name).string }

    private func storage(_ environment: [String: String] = [:]) throws -> Storage {
        try Storage(
            home: FilePath(path("home")),
            environment: environment.merging(["TMPDIR": path("tmp")]) { own, _ in own },
            owner: "Podcaster", ledgerDirectory: FilePath(path("ledger")))
    }

    /// A program outside of the sandbox of macOS: the directories of its home, under Apple's names.
    @Test func r1AppleNamesAreThoseOfTheLibrary() throws {
        let home = FilePath(path("home"))
        let storage = try storage(Storage.appleNames(["XDG_CACHE_HOME": "/elsewhere"], home: home))
        func place(_ content: ContentClass) -> String { storage.directory(for: content).path }
        #expect(place(.essential(.userContent)) == path("home/Documents"))
        #expect(
            place(.essential(.appData)) == path("home/Library/Application Support/Podcaster"))
        #expect(place(.cache) == path("home/Library/Caches/Podcaster"))
        #expect(place(.temporary).hasPrefix(path("tmp")))
    }

    /// Of somebody else's home, or a copy of one, whatever this process's environment says.
    @Test(.tags(.r1a)) func r1AnyHomeHasItsStandardPlaces() throws {
        let home = URL(filePath: path("home"), directoryHint: .isDirectory)
        let storage = try Storage(home: home, owner: "Podcaster")
        #if !canImport(Darwin)
        #expect(storage.directory(for: .cache).path == path("home/.cache/Podcaster"))
        #expect(
            storage.directory(for: .essential(.appData)).path
                == path("home/.local/share/Podcaster"))
        let program = try #require(BuiltProgram.path("StorageDriver"))
        let result = try ChildProcess.run(
            program, [path("home"), path("ledger"), "Podcaster", "places"],
            environment: [
                "XDG_CACHE_HOME": path("elsewhere/cache"), "XDG_DATA_HOME": path("elsewhere/data"),
            ])
        #expect(
            result.output
                == "\(path("home/.cache/Podcaster"))\n\(path("home/.local/share/Podcaster"))\n",
            "\(result.errors)")
        #endif
        #expect(storage.directory(for: .essential(.userContent)).path == path("home/Documents"))
        let error = #expect(throws: StorageError.self) {
            try Storage(home: home.appending(path: "not-there"), owner: "Podcaster")
        }
        #expect(error?.code == .noContainer)
        // Nothing is made before something is saved.
        #expect(try base.tree.names(in: "home").isEmpty)
    }

    @Test func r1VariablesAreHonoured() throws {
        let storage = try storage([
            "XDG_DATA_HOME": path("elsewhere/data"), "XDG_CACHE_HOME": path("elsewhere/cache"),
        ])
        let data = try storage.save(Data([1]), as: .essential(.appData), named: "a")
        let picture = try storage.save(Data([1]), as: .cache, named: "b")
        let episode = try storage.save(Data([1]), as: .lastResort, named: "c")
        #expect(data.path == path("elsewhere/data/Podcaster/a"))
        #expect(picture.path == path("elsewhere/cache/Podcaster/b"))
        #expect(episode.path == path("elsewhere/data/Podcaster/LastResort/c"))
    }

    @Test(.tags(.r1a)) func r1ARelativeVariableIsNotHonoured() throws {
        let storage = try storage(["XDG_DATA_HOME": "data"])
        #expect(
            storage.directory(for: .essential(.appData)).path
                == path("home/.local/share/Podcaster"))
    }

    @Test(.tags(.r1b)) func r1WhatIsMissingIsMadeForThisUserAlone() throws {
        let storage = try storage()
        try storage.save(Data([1]), as: .essential(.appData), named: "a")
        try storage.save(Data([1]), as: .cache, named: "b")
        try storage.save(Data([1]), as: .temporary, named: "c")
        for place in [
            "home/.local/share", "home/.local/share/Podcaster", "home/.cache",
            "home/.cache/Podcaster", "tmp/Podcaster-\(User.effective)",
        ] as [TreePath] {
            #expect(try base.tree.status(of: place).permissions & 0o7777 == 0o700, "\(place)")
        }
    }

    @Test(.tags(.r2b)) func r2WhatIsDeclaredInItHasItsOwnClass() throws {
        let storage = try storage()
        let file = try storage.save(
            Data(repeating: 1, count: 9_000), as: .essential(.appData), named: "Tiles/1")
        #expect(try storage.explain(file).place == nil)
        try storage.mark(file.deletingLastPathComponent(), .purgeable)
        #expect(try storage.explain(file).purgeClass == .cache)
        #expect(try storage.explain(file).place?.position == 1)
    }
}
