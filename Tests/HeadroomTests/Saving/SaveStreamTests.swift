//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
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

/// R3: what is saved piece by piece.
struct SaveStreamTests {
    private struct Interruption: Error {}

    /// Pieces of one size, each filled with its number; ends early if it is to fail.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol {
        let count: Int
        let size: Int
        var limit = Int.max
        var number = 0

        mutating func next() async throws -> Data? {
            guard number < count else { return nil }
            guard number < limit else { throw Interruption() }
            number += 1
            return Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
        }

        func makeAsyncIterator() -> Pieces { self }
    }

    private func pieces(_ count: Int, of size: Int, failingAfter limit: Int = .max) -> Pieces {
        Pieces(count: count, size: size, limit: limit)
    }

    private func expected(_ count: Int, of size: Int) -> Data {
        (1...count).reduce(into: Data()) { data, number in
            data.append(Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
        }
    }

    @Test func r3AStreamIsSavedInOrder() async throws {
        let fixture = try StorageFixture()
        let url = try await fixture.storage.save(
            pieces(50, of: 1_000), as: .lastResort, named: "a/stream", expecting: ByteCount(99_000))
        #expect(try fixture.contents(url) == expected(50, of: 1_000))
        // What was expected and did not come is not kept.
        let status = try fixture.tree.status(
            of: "home/.local/share/Podcaster/LastResort/a/stream")
        #expect(status.allocatedSize <= ByteCount(53_248))
    }

    @Test(.tags(.r3c)) func r3AStreamThatFailsLeavesTheOldFile() async throws {
        let fixture = try StorageFixture()
        try await fixture.storage.save(Data("old".utf8), as: .cache, named: "file")
        await #expect(throws: Interruption.self) {
            try await fixture.storage.save(
                pieces(50, of: 1_000, failingAfter: 20), as: .cache, named: "file")
        }
        #expect(try fixture.names("home/.cache/Podcaster") == ["file"])
        #expect(
            try fixture.tree.contents(of: "home/.cache/Podcaster/file") == Array("old".utf8))
    }

    @Test func r3ACancelledStreamLeavesNothing() async throws {
        let fixture = try StorageFixture()
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let storage = fixture.storage
        let task = Task { try await storage.save(stream, as: .cache, named: "file") }
        continuation.yield(Data(count: 10_000))
        task.cancel()
        continuation.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try fixture.names("home/.cache/Podcaster").isEmpty)
    }

    @Test func r3AClosureWritesAFile() throws {
        let fixture = try StorageFixture()
        let url = try fixture.storage.save(as: .cache, named: "index") { file in
            for number in 0..<100 { try file.write([UInt8(number), 0]) }
        }
        #expect(try fixture.contents(url).count == 200)
        #expect(throws: Interruption.self) {
            try fixture.storage.save(as: .cache, named: "other") { file in
                try file.write(Data("half".utf8))
                throw Interruption()
            }
        }
        #expect(try fixture.names("home/.cache/Podcaster") == ["index"])
    }

    @Test(.tags(.r25c), .enabled(if: Privilege.canMount, "needs root to mount a small volume"))
    func r3AVolumeThatIsFullInTheMiddleMakesRoomAndGoesOn() async throws {
        let fixture = try StorageFixture(volume: .mebibytes(32))
        for number in 0..<6 {
            try await fixture.storage.save(Data(count: 4 << 20), as: .cache, named: "old-\(number)")
        }
        // 8 MiB are left at most.
        let url = try await fixture.storage.save(
            pieces(16, of: 1 << 20), as: .essential(.appData), named: "stream")
        #expect(try fixture.contents(url) == expected(16, of: 1 << 20))
        #expect(try fixture.names("home/.cache/Podcaster").count < 6)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
    func r3WhatIsExpectedAndCannotFitFailsBeforeTheFirstPiece() async throws {
        let fixture = try StorageFixture(volume: .mebibytes(16))
        let asked = Atomic<Bool>(false)
        let stream = AsyncStream<Data> {
            asked.store(true, ordering: .relaxed)
            return nil
        }
        let error = await #expect(throws: StorageError.self) {
            try await fixture.storage.save(
                stream, as: .cache, named: "film", expecting: .mebibytes(64))
        }
        #expect(error?.code == .insufficientSpace)
        #expect((error?.shortBy ?? .zero) >= .mebibytes(48))
        let wasAsked = asked.load(ordering: .relaxed)
        #expect(!wasAsked)
        #expect(try fixture.names("home/.cache/Podcaster").isEmpty)
    }
}
