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

/// What comes of room that is not there: R6 and R7.
@Suite("R7: too little room", .enabled(if: Privilege.canMount, "needs root to mount small volumes"))
struct RoomShortageTests {
    private let mebibyte = 1 << 20

    // MARK: - Demotion

    /// A home on 64 MiB, of which a directory lies on a volume of its own.
    private func fixture(
        with place: TreePath, on size: ByteCount, body: (StorageFixture) throws -> Void
    ) throws {
        let fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.tree.directory(place)
        let other = try MountedImage.tmpfs(size: size)
        let bind = try MountedImage.bind(other.path, at: fixture.tree.path(place))
        try body(fixture)
        withExtendedLifetime((bind, other)) {}
    }

    @Test(.tags(.r6c)) func theNextLowerClassIsProposedWhereItFits() throws {
        try fixture(with: "home/.cache", on: .mebibytes(256)) { fixture in
            let storage = fixture.storage
            let plain = try storage.advise(.mebibytes(100), for: .requested)
            #expect(plain.content == .lastResort && !plain.mayProceed)
            let advice = try storage.advise(
                .mebibytes(100), for: .requested, allowDemotion: true)
            #expect(advice.content == .cache)
            #expect(advice.verdict == .fits && advice.mayProceed)
            #expect(advice.directory == storage.directory(for: .cache))
            // What fits as it was asked for stays what it was.
            let small = try storage.advise(.mebibytes(10), for: .requested, allowDemotion: true)
            #expect(small.content == .lastResort && small.verdict == .fits)
        }
    }

    @Test(.tags(.r6c)) func aClassThatDoesNotFitEitherIsPassedOver() throws {
        try fixture(with: "tmp", on: .mebibytes(256)) { fixture in
            for (content, intent) in [
                (ContentClass.lastResort, Intent.requested), (.cache, .optional),
            ] {
                let advice = try fixture.storage.advise(
                    .mebibytes(100), for: intent, as: content, allowDemotion: true)
                #expect(advice.content == .temporary && advice.verdict == .fits)
            }
        }
    }

    @Test(.tags(.r6c)) func whereNoLowerClassFitsNoneIsProposed() throws {
        try fixture(with: "home/.cache", on: .mebibytes(256)) { fixture in
            for (content, intent) in [
                (ContentClass.lastResort, Intent.requested), (.cache, .optional),
                // It would fit as a cache, and cannot be had again.
                (.essential(.appData), .essential),
            ] {
                let bytes: ByteCount = intent == .essential ? .mebibytes(100) : .gigabytes(1)
                let advice = try fixture.storage.advise(
                    bytes, for: intent, as: content, allowDemotion: true)
                #expect(advice.content == content)
                guard case .doesNotFit = advice.verdict else {
                    Issue.record("\(advice)")
                    continue
                }
            }
        }
    }

    // MARK: - A purge that was not enough

    @Test(.tags(.r7g)) func whatCanBeFreedGoesIfThatIsAskedForAndTheErrorHasItsReceipt() throws {
        let fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.storage.save(Data.pattern(20 * mebibyte), as: .cache, named: "a")
        let refused = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: .mebibytes(100), intent: .requested)
        }
        #expect(refused?.code == .insufficientSpace && refused?.receipt == nil)
        #expect(try fixture.names("home/.cache/Podcaster") == ["a"])

        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(
                for: .mebibytes(100), intent: .requested, freesWhatItCan: true)
        }
        #expect(error?.code == .insufficientSpace)
        let receipt = try #require(error?.receipt)
        #expect(receipt.removedCount == 1 && receipt.outcome == .completed)
        #expect(receipt.expected == .mebibytes(20))
        #expect(try fixture.names("home/.cache/Podcaster") == [])
        // What is missing now: all but what is free.
        let free = try #require(try fixture.storage.capacity().available.bytes)
        let reserve = Intent.requested.reserve(of: .mebibytes(64))
        let missing = try #require(error?.shortBy)
        #expect(abs(missing.bytes - (ByteCount.mebibytes(100) + reserve - free).bytes) < 1 << 20)
    }

    private static let snapshots: ConditionTrait = .enabled(
        if: Privilege.canMount(.btrfs) && Privilege.has(program: "btrfs"),
        "needs root and btrfs-progs")

    /// Asks for room in a home of which a snapshot keeps the blocks of what goes.
    ///
    /// - Parameter body: with the home, the error, and its receipt.
    private func askInVain(
        for bytes: ByteCount, ofCaches count: Int, of size: Int,
        body: (StorageFixture, StorageError, Receipt) throws -> Void
    ) throws {
        let image = try MountedImage(.btrfs, size: .mebibytes(256))
        try #require(
            try ChildProcess.run("btrfs", ["subvolume", "create", "\(image.path)/live"]).succeeded)
        let fixture = try StorageFixture(on: .at(image.path.appending("live")))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
        for number in 0..<count {
            try fixture.storage.save(
                Data.pattern(size), as: .cache, named: "\(number)", durability: .full)
        }
        try #require(
            try ChildProcess.run(
                "btrfs", ["subvolume", "snapshot", "\(image.path)/live", "\(image.path)/kept"]
            ).succeeded)
        let free = try #require(try fixture.storage.capacity().available.bytes)
        let error = try #require(throws: StorageError.self) {
            try fixture.storage.makeRoom(for: free + bytes, intent: .essential)
        }
        #expect(error.code == .insufficientSpace)
        try body(fixture, error, try #require(error.receipt))
        withExtendedLifetime(image) {}
    }

    @Test(.tags(.r7f), Self.snapshots)
    func aVolumeThatGainsLessThanPlannedIsAnErrorWithTheReceipt() throws {
        try askInVain(for: .mebibytes(40), ofCaches: 1, of: 60 * mebibyte) { _, error, receipt in
            #expect(receipt.removedCount == 1)
            #expect(receipt.expected >= .mebibytes(60))
            let gained = try #require(receipt.volumeGained)
            #expect(gained < .mebibytes(20))
            #expect(receipt.differences.contains { $0.contains("snapshots") })
            #expect(error.message.contains(receipt.id))
            let missing = try #require(error.shortBy)
            #expect(missing > .mebibytes(20))
        }
    }

    /// Once it may have been others who wrote meanwhile; twice it is the volume.
    @Test(.tags(.r7f), Self.snapshots)
    func nothingMoreGoesForTheSameNothing() throws {
        // Two or three files at a time.
        try askInVain(for: .mebibytes(8), ofCaches: 15, of: 4 * mebibyte) {
            (fixture, error, receipt) in
            #expect((2...4).contains(receipt.removedCount))
            let left = try fixture.names("home/.cache/Podcaster").count
            #expect((7...11).contains(left))
            #expect(error.message.contains("by its own count"))
        }
    }
}
