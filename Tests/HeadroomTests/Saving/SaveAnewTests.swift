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

/// A directory of a class that is removed while the process lives, and made again by the next save.
@Suite("R3, R11: the directory of a class that is made again says what the first one said")
struct SaveAnewTests {
    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture(on: .disk) }

    /// Of the directory itself, whatever the ledger remembers of the one before.
    private func expectMarked(_ content: ContentClass, _ saved: URL) throws {
        let directory = FilePath(fixture.storage.directory(for: content).path)
        let opened = try Descriptor.openDirectory(directory)
        let mark = MarkAttribute.read(opened.rawValue, NativeCalls.make()).mark
        let purgeClass: PurgeableClass? = content == .lastResort ? .lastResort : nil
        #expect(mark.purgeClass == purgeClass)
        #expect(mark.isExcludedFromBackup == true)
        #expect(
            try fixture.storage.backupExclusion(of: saved)
                == .inherited(from: directory, [.mark, .ownTag, .attribute]))
    }

    @Test(.tags(.r12d), arguments: [ContentClass.cache, .lastResort], ["file", "Trip/file"])
    func whenItWasRemoved(content: ContentClass, name: String) throws {
        let storage = fixture.storage
        // Two of each, so that both are known to go by their paths.
        for other in ["first", "second", "Trip/first", "Trip/second"] {
            let url = try storage.save(Data(other.utf8), as: content, named: other)
            try expectMarked(content, url)
        }
        // By the short way, and by the long one.
        for durability in [Durability.none, .full] {
            try FileManager.default.removeItem(atPath: storage.directory(for: content).path)
            let url = try storage.save(
                Data("x".utf8), as: content, named: name, durability: durability)
            #expect(try fixture.contents(url) == Data("x".utf8))
            try expectMarked(content, url)
        }
    }

    @Test(arguments: [ContentClass.cache, .lastResort], ["file", "Trip/file"])
    func whenItGoesWhileSomethingIsWritten(content: ContentClass, name: String) throws {
        let directory = fixture.storage.directory(for: content).path
        let isDue = Atomic(false)
        let storage = try Storage(
            home: fixture.base.path.appending("home"),
            environment: ["TMPDIR": fixture.base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"),
            step: { step in
                guard step == .written, isDue.exchange(false, ordering: .relaxed) else { return }
                try? FileManager.default.removeItem(atPath: directory)
            })
        try storage.save(Data("1".utf8), as: content, named: name + "-1")
        isDue.store(true, ordering: .relaxed)
        let url = try storage.save(Data("2".utf8), as: content, named: name + "-2")
        let wasRemoved = !isDue.load(ordering: .relaxed)
        #expect(wasRemoved)
        #expect(try fixture.contents(url) == Data("2".utf8))
        try expectMarked(content, url)
    }
}
