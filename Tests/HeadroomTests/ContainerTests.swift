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

/// R1, R3: saving to containers of apps and groups, as on a phone.
struct ContainerTests {
    private let base: TemporaryDirectory
    private let app = ["Documents", "Library/Caches", "Library/Preferences", "tmp"] as [TreePath]

    init() throws { base = try TemporaryDirectory(on: .memory) }

    private var url: URL { URL(filePath: base.path.appending("container").string) }

    private func make(_ places: [TreePath]) throws {
        for place in places { try base.tree.directory("container" / place) }
    }

    private func save(
        _ content: ContentClass, to storage: Storage
    ) throws -> String {
        let saved = try storage.save(Data([1, 2, 3]), as: content, named: "a/b")
        return String(saved.path.dropFirst(url.path.count + 1))
    }

    @Test(
        .tags(.r1b, .r3a),
        arguments: [
            (.essential(.userContent), "Documents/a/b"),
            (.essential(.appData), "Library/Application Support/Podcaster/a/b"),
            (.lastResort, "Library/Application Support/Podcaster/LastResort/a/b"),
            (.cache, "Library/Caches/Podcaster/a/b"), (.temporary, "tmp/a/b"),
        ] as [(ContentClass, String)])
    func r3EachClassHasItsPlaceInAContainer(content: ContentClass, place: String) throws {
        try make(app)
        let storage = try Storage(container: url, owner: "Podcaster")
        #expect(try save(content, to: storage) == place)
        let explanation = try storage.explain(url.appending(path: place))
        #expect(explanation.purgeClass == content.purgeClass)
    }

    @Test(
        arguments: [
            (.essential(.userContent), "Documents/a/b"),
            (.essential(.appData), "Library/Application Support/Podcaster/a/b"),
            (.lastResort, "Library/Application Support/Podcaster/LastResort/a/b"),
            (.cache, "Library/Caches/Podcaster/a/b"),
            (.temporary, "Library/Caches/Podcaster/Temporary/a/b"),
        ] as [(ContentClass, String)])
    func r3EachClassHasItsPlaceInAGroup(content: ContentClass, place: String) throws {
        try make(["Library/Caches"])
        try base.tree.file("container/.com.apple.mobile_container_manager.metadata.plist")
        let storage = try Storage(container: url, owner: "Podcaster")
        #expect(try save(content, to: storage) == place)
        let explanation = try storage.explain(url.appending(path: place))
        #expect(explanation.purgeClass == content.purgeClass)
    }

    /// Inbox is to be read and deleted from only (R2).
    @Test(.tags(.r3b)) func r3NothingIsSavedWhereAnotherRoleIs() throws {
        try make(app)
        let storage = try Storage(container: url, owner: "Podcaster")
        for (content, name) in [
            (.essential(.userContent), "Inbox/a"), (.essential(.userContent), "inbox"),
            (.essential(.appData), "LastResort/a"),
        ] as [(ContentClass, String)] {
            let error = #expect(throws: StorageError.self) {
                try storage.save(Data([1]), as: content, named: name)
            }
            #expect(error?.code == .invalidName)
        }
        #expect(try base.tree.names(in: "container/Documents").isEmpty)
        try base.tree.file("container/.com.apple.mobile_container_manager.metadata.plist")
        for place in ["Documents", "tmp"] as [TreePath] {
            try base.tree.remove("container" / place)
        }
        let group = try Storage(container: url, owner: "Podcaster")
        let error = #expect(throws: StorageError.self) {
            try group.save(Data([1]), as: .cache, named: "Temporary/a")
        }
        #expect(error?.code == .invalidName)
    }

    @Test func r1AGroupWithoutMetadataHasToBeNamedSo() throws {
        try make(["Library/Caches"])
        let error = #expect(throws: StorageError.self) {
            try Storage(container: url, owner: "Podcaster")
        }
        #expect(error?.code == .noContainer)
        let storage = try Storage(container: url, owner: "Podcaster", isGroup: true)
        #expect(try save(.cache, to: storage) == "Library/Caches/Podcaster/a/b")
    }

    @Test func r1WhatIsNoContainerIsRefused() throws {
        try make(["Documents"])
        for isGroup in [false, true] {
            let error = #expect(throws: StorageError.self) {
                try Storage(container: url, owner: "Podcaster", isGroup: isGroup)
            }
            #expect(error?.code == .noContainer)
        }
        #expect(try base.tree.names(in: "container").map(\.text) == ["Documents"])
    }
}
