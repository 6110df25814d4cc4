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
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Saves in directories after the first one, which go by their paths.
@Suite("R3: names in directories, saved again and again")
struct SaveNestedTests {
    private let fixture: StorageFixture
    private let directory: FilePath

    init() throws {
        fixture = try StorageFixture()
        directory = fixture.base.path.appending("home/.cache/Podcaster")
        try fixture.tree.directory("elsewhere")
        try save("1", "Trip/first")
    }

    @discardableResult
    private func save(
        _ text: String, _ name: String, in storage: Storage? = nil
    ) throws(StorageError) -> URL {
        try (storage ?? fixture.storage).save(Data(text.utf8), as: .cache, named: name)
    }

    @Test func whatIsThereIsWhatWasSaved() throws {
        for number in 0..<20 { try save("\(number)", "Trip/file-\(number % 7)") }
        try save("deep", "Trip/a/b/c")
        try save("deeper", "Trip/a/b/c2")
        for number in 13..<20 {
            let url = try save("\(number)x", "Trip/file-\(number % 7)")
            #expect(try Data(contentsOf: url) == Data("\(number)x".utf8))
        }
        #expect(try fixture.names("home/.cache/Podcaster/Trip/a/b") == ["c", "c2"])
        #expect(try fixture.names("home/.cache/Podcaster/Trip").count == 9)
    }

    @Test(.tags(.r3b)) func aLinkThatComesBetweenIsNotFollowed() throws {
        try save("2", "Trip/second")
        try FileManager.default.removeItem(atPath: directory.appending("Trip").string)
        try fixture.tree.symbolicLink("home/.cache/Podcaster/Trip", to: "../../../elsewhere")
        for _ in 0..<3 {
            let error = #expect(throws: StorageError.self) { try save("3", "Trip/third") }
            #expect(error?.code == .refused)
        }
        let error = #expect(throws: StorageError.self) { try save("3", "Trip/a/third") }
        #expect(error?.code == .refused)
        #expect(try fixture.names("elsewhere").isEmpty)
        // What is no link can be saved to as before.
        try save("4", "Other/fourth")
        #expect(try fixture.names("home/.cache/Podcaster/Other") == ["fourth"])
    }

    @Test(.tags(.r3b), .enabled(if: Privilege.canMount, "needs root, to mount"))
    func aMountThatComesBetweenIsNotEntered() throws {
        try save("2", "Trip/second")
        let mount = try MountedImage.bind(
            fixture.base.path.appending("elsewhere"), at: directory.appending("Trip"))
        let error = #expect(throws: StorageError.self) { try save("3", "Trip/third") }
        #expect(error?.code == .refused)
        #expect(try fixture.names("elsewhere").isEmpty)
        withExtendedLifetime(mount) {}
    }

    @Test func aDirectoryThatIsGoneIsMadeAgain() throws {
        try save("2", "Trip/second")
        try FileManager.default.removeItem(atPath: directory.appending("Trip").string)
        try save("3", "Trip/third")
        #expect(try fixture.names("home/.cache/Podcaster/Trip") == ["third"])
        // All of it, too.
        try FileManager.default.removeItem(atPath: directory.string)
        try save("4", "Trip/fourth")
        #expect(try fixture.names("home/.cache/Podcaster/Trip") == ["fourth"])
    }

    @Test func aHomeBehindALinkIsSavedTo() throws {
        try fixture.tree.symbolicLink("linked", to: "home")
        let storage = try Storage(
            home: fixture.base.path.appending("linked"),
            environment: ["TMPDIR": fixture.base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"))
        for number in 0..<3 { try save("\(number)", "Trip/file-\(number)", in: storage) }
        #expect(try fixture.names("home/.cache/Podcaster/Trip").count == 4)
    }

    /// As when a purge takes it whole, between the writing and the rename: once more, in a new one.
    @Test(.tags(.r3c)) func aDirectoryThatGoesWhileSomethingIsWrittenIsMadeAgain() throws {
        let (old, new) = (directory.appending("Trip"), directory.appending("Gone"))
        let isDue = Atomic(false)
        let storage = try Storage(
            home: fixture.base.path.appending("home"),
            environment: ["TMPDIR": fixture.base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"),
            step: { step in
                guard step == .written, isDue.exchange(false, ordering: .relaxed) else { return }
                try? FileManager.default.moveItem(atPath: old.string, toPath: new.string)
            })
        try save("2", "Trip/second", in: storage)
        isDue.store(true, ordering: .relaxed)
        let url = try save("3", "Trip/third", in: storage)
        let wasMoved = !isDue.load(ordering: .relaxed)
        #expect(wasMoved)
        #expect(try Data(contentsOf: url) == Data("3".utf8))
        #expect(try fixture.names("home/.cache/Podcaster/Trip") == ["third"])
        #expect(try fixture.names("home/.cache/Podcaster/Gone").contains("second"))
    }
}
