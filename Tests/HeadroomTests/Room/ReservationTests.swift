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
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// R7: room that is made is kept, across processes.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct ReservationTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        // The ledger and the table of reservations lie on the volume too: made before anything is
        // measured.
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
    }

    private var available: ByteCount {
        get throws { try #require(try fixture.storage.capacity().available.bytes) }
    }

    @Test(.tags(.r5e, .r7c)) func r7WhatIsReservedIsNotAvailableToAnyoneElse() throws {
        let before = try available
        let room = try fixture.storage.makeRoom(for: .mebibytes(20), intent: .essential)
        #expect(room.bytes == .mebibytes(20))
        #expect(room.receipt == nil)
        let during = try available
        #expect(during == before - .mebibytes(20))
        room.reduce(by: .mebibytes(5))
        #expect(try available == during + .mebibytes(5))
        room.finish()
        #expect(try available == during + .mebibytes(20))
    }

    @Test func r7RoomIsGivenUpWithItsOwner() throws {
        let before = try available
        do {
            let room = try fixture.storage.makeRoom(for: .mebibytes(20), intent: .essential)
            #expect(room.bytes > .zero)
        }
        #expect(try available == before)
    }

    @Test(.tags(.r7c)) func r7RoomOfAProcessThatDiesIsFree() throws {
        let holder = try fixture.startDriver(["hold", "\(30 * mebibyte)"])
        #expect(try holder.readOutput(until: "held"))
        let held = try available
        let refusal = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(40), intent: .essential)
        }
        #expect(refusal?.code == .insufficientSpace)
        #expect((refusal?.shortBy ?? .zero) > .zero)
        holder.send(SIGKILL)
        _ = try holder.wait()
        #expect(try available >= held + .mebibytes(30))
        let room = try fixture.storage.makeRoom(for: .mebibytes(40), intent: .essential)
        #expect(room.bytes == .mebibytes(40))
    }

    @Test(.tags(.r7a)) func r7WhatGoesForRoomFollowsFromTheIntent() throws {
        for number in 0..<12 {
            try fixture.storage.save(
                Data.pattern(4 * mebibyte), as: .cache, named: "c\(number)")
        }
        try fixture.storage.save(Data.pattern(4 * mebibyte), as: .lastResort, named: "offline")
        // Live caches are not for what is optional: refused, and nothing is deleted.
        #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(20), intent: .optional)
        }
        #expect(try fixture.names("home/.cache/Podcaster").count == 12)
        // Nor is what is offline for what can be had again, though it would do with all caches.
        let reserve = Intent.requested.reserve(of: .mebibytes(64))
        let beyondCaches = try available - reserve + .mebibytes(50)
        #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: beyondCaches, intent: .requested)
        }
        #expect(try fixture.names("home/.cache/Podcaster").count == 12)
        #expect(fixture.tree.exists("home/.local/share/Podcaster/LastResort/offline"))
        let room = try fixture.storage.makeRoom(for: .mebibytes(20), intent: .requested)
        #expect(try fixture.names("home/.cache/Podcaster").count < 12)
        #expect(fixture.tree.exists("home/.local/share/Podcaster/LastResort/offline"))
        #expect(room.receipt?.outcome == .completed)
        #expect((room.receipt?.removedCount ?? 0) > 0)
    }

    @Test(.tags(.r7c)) func r7TwoProcessesNeverGetTheSameBytes() throws {
        // Two of 20 MiB do not fit into what is left of 64 MiB at once.
        let left = try available
        try fixture.storage.save(
            Data.pattern(Int(left.bytes) - 30 * mebibyte), as: .essential(.appData),
            named: "fills-the-volume")
        let rounds = Privilege.isSoak ? 1000 : 20
        let racers = try ["a", "b"].map { name in
            try fixture.startDriver(["race", "\(rounds)", "\(20 * mebibyte)", name])
        }
        var saved = 0
        for racer in racers {
            let result = try racer.wait()
            #expect(result.succeeded, "\(result.output) \(result.errors)")
            saved += Int(result.output.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0
        }
        #expect(saved > 0)
        #expect(try fixture.names("home/.local/share/Podcaster") == ["fills-the-volume"])
        #expect(try fixture.names("home/.local/share/Racer").isEmpty)
    }
}

/// The program beside the tests.
