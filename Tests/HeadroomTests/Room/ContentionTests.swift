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

/// R3, R7, R25: several processes on a volume that is nearly full.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct ContentionTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
    }

    @Test func r7ASaveLeavesOthersWhatTheyHaveReserved() throws {
        let holder = try fixture.startDriver(["hold", "\(50 * mebibyte)"])
        #expect(try holder.readOutput(until: "held"))
        let data = Data(count: 20 * mebibyte)
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(data, as: .cache, named: "film")
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try fixture.names("home/.cache/Podcaster").isEmpty)
        // What cannot be had again is always attempted.
        let url = try fixture.storage.save(data, as: .essential(.userContent), named: "photo")
        #expect(try fixture.contents(url).count == data.count)
        holder.send(9)
        _ = try holder.wait()
        try fixture.storage.save(data, as: .cache, named: "film")
    }

    @Test func r7ItsOwnReservationHoldsNobodyBack() throws {
        let room = try fixture.storage.makeRoom(for: .mebibytes(50), intent: .essential)
        let data = Data(count: 40 * mebibyte)
        try fixture.storage.save(data, as: .cache, named: "film", using: room)
        #expect(room.bytes == .mebibytes(10))
        try fixture.storage.save(Data(count: mebibyte), as: .cache, named: "other")
    }

    @Test func r7TwoThatNeedTheSameRoomDoNotFailEachOther() throws {
        for number in 0..<1_500 {
            try fixture.storage.save(Data(count: 32_768), as: .cache, named: "a/\(number)")
        }
        // Each has to purge; while one does, the other finds the area taken.
        let racers = try (0..<3).map { name in
            try fixture.startDriver(["make", "\(8 * mebibyte)", "\(name)"], owner: "Podcaster")
        }
        for racer in racers {
            let result = try racer.wait()
            #expect(result.succeeded, "\(result.output) \(result.errors)")
        }
    }

    @Test(.tags(.r3c)) func r3EachOfManySavesOnAFullVolumeIsWholeOrThrew() throws {
        let rounds = Privilege.isSoak ? 10_000 : 500
        let filler = try fixture.startDriver(["fill", fixture.tree.path("filler").string])
        #expect(try filler.readOutput(until: "begun"))
        var saved: [String: Int] = [:]
        var failures = 0
        for round in 0..<rounds {
            let name = "\(round % 50)"
            let size = (round * 7_919) % 40_000 + 1
            let data = Data(repeating: UInt8(truncatingIfNeeded: round), count: size)
            do {
                try fixture.storage.save(data, as: .essential(.userContent), named: name)
                saved[name] = round
            } catch {
                #expect(error.code == .insufficientSpace, "\(error)")
                failures += 1
            }
            // What stands there is whole: this round's, or the last that was saved.
            guard let last = saved[name] else { continue }
            let content = try fixture.tree.contents(of: "home/Documents/\(name)")
            let isWhole =
                content.count == (last * 7_919) % 40_000 + 1
                && content.allSatisfy { $0 == UInt8(truncatingIfNeeded: last) }
            #expect(isWhole, "round \(round), last \(last)")
        }
        filler.send(9)
        _ = try filler.wait()
        #expect(failures > 0, "the volume was never full")
        #expect(failures < rounds, "nothing could ever be saved")
        #expect(Set(try fixture.names("home/Documents")) == Set(saved.keys))
    }
}

/// R25: a quota that nobody can be asked about.
@Suite(.enabled(if: Privilege.canMount(.btrfs), "needs root and btrfs"))
struct QuotaTests {
    @Test(.tags(.r25c)) func r25AQuotaThatIsUsedUpMakesRoom() throws {
        let (image, fixture) = try makeHome()
        defer { withExtendedLifetime(image) {} }
        let data = Data.pattern(12 << 20, seed: 3)
        let url = try fixture.storage.save(
            data, as: .essential(.appData), named: "precious", durability: .full)
        #expect(try fixture.contents(url) == data)
        #expect(try fixture.names("home/.cache/Podcaster").count < 10)

        let error = #expect(throws: StorageError.self) {
            try fixture.storage.save(
                Data(repeating: 1, count: 60 << 20), as: .essential(.appData), named: "too-large",
                durability: .full)
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try fixture.names("home/.local/share/Podcaster") == ["precious"])
        #expect(try fixture.contents(url) == data)
    }

    @Test func r25RoomThatAQuotaRefusesIsMade() throws {
        let (image, fixture) = try makeHome()
        defer { withExtendedLifetime(image) {} }
        let movie = URL(filePath: fixture.tree.path("home/movie").string)
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(16), intent: .essential, at: movie)
        #expect(room.isPreallocated)
        // 8 MiB of the quota are free. How soon it counts what has gone is btrfs's affair.
        #expect((room.receipt?.removedCount ?? 0) >= 2)
        room.finish()
        let caches = try fixture.names("home/.cache/Podcaster")
        // More than the quota lets anybody have: nothing goes for it.
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(100), intent: .essential, at: movie)
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try fixture.names("home/.cache/Podcaster") == caches)
    }

    /// A subvolume whose quota has nearly been used up by caches.
    private func makeHome() throws -> (MountedImage, StorageFixture) {
        let image = try MountedImage(.btrfs, size: .mebibytes(256))
        let subvolume = image.path.appending("home-of-ann").string
        for arguments in [
            ["subvolume", "create", subvolume], ["quota", "enable", image.path.string],
            ["qgroup", "limit", "48M", subvolume],
        ] {
            let result = try ChildProcess("btrfs", arguments).wait()
            try #require(result.succeeded, "\(result.errors)" as Comment)
        }
        let fixture = try StorageFixture(on: .at(FilePath(subvolume)))
        for number in 0..<10 {
            try fixture.storage.save(
                Data.pattern(4 << 20), as: .cache, named: "old-\(number)", durability: .full)
        }
        return (image, fixture)
    }
}
