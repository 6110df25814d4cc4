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

/// R7: room that a save is given, where it has to be done once more.
struct SaveRoomTests {
    @Test(.tags(.r7c)) func r7RoomIsGivenUpOnceAndOnlyWhenTheFileIsThere() throws {
        let fixture = try StorageFixture()
        let old = fixture.base.path.appending("home/.cache/Podcaster/Trip").string
        let isDue = Atomic(false)
        let room = Mutex<Reservation?>(nil)
        let seen = Mutex<[ByteCount]>([])
        let storage = try Storage(
            home: fixture.base.path.appending("home"),
            environment: ["TMPDIR": fixture.base.path.appending("tmp").string],
            owner: "Podcaster", ledgerDirectory: fixture.base.path.appending("ledger"),
            step: { step in
                let left = room.withLock { $0?.bytes }
                if step == .made, let left { seen.withLock { $0.append(left) } }
                guard step == .written, isDue.exchange(false, ordering: .relaxed) else { return }
                try? FileManager.default.moveItem(atPath: old, toPath: old + "-gone")
            })
        try storage.save(Data("1".utf8), as: .cache, named: "Trip/first")
        let made = try storage.makeRoom(for: ByteCount(65_536), intent: .essential)
        room.withLock { $0 = made }
        isDue.store(true, ordering: .relaxed)
        let data = Data.pattern(10_000)
        let url = try storage.save(data, as: .cache, named: "Trip/second", using: made)
        #expect(try fixture.contents(url) == data)
        // Begun twice, and each time with all of it.
        #expect(seen.withLock { $0 } == [ByteCount(65_536), ByteCount(65_536)])
        #expect(made.bytes == ByteCount(55_536))
    }

    @Test func r7WhatCouldNotBeSavedTakesNoRoom() throws {
        let fixture = try StorageFixture()
        try fixture.storage.save(Data("x".utf8), as: .cache, named: "directory/file")
        let room = try fixture.storage.makeRoom(for: ByteCount(65_536), intent: .essential)
        #expect(throws: StorageError.self) {
            try fixture.storage.save(
                Data.pattern(10_000), as: .cache, named: "directory", using: room)
        }
        #expect(room.bytes == ByteCount(65_536))
        try fixture.storage.save(Data.pattern(10_000), as: .cache, named: "file", using: room)
        #expect(room.bytes == ByteCount(55_536))
    }
}
