//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// R7: room that is really taken, in the file that becomes the destination.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct DestinationTests {
    private let fixture: StorageFixture
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
    }

    private var movie: URL { URL(filePath: fixture.tree.path("home/movie").string) }

    /// By the volume's own account, which knows nothing of reservations.
    private var free: ByteCount {
        get throws { try #require(try Volume.containing(fixture.base.path).available) }
    }

    @Test(.tags(.r7d)) func r7TheBlocksAreTakenAndNobodyElseGetsThem() throws {
        let before = try free
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(40), intent: .essential, at: movie)
        #expect(room.isPreallocated)
        #expect(try free <= before - .mebibytes(40))
        // A program that shares no ledger.
        #expect(throws: (any Error).self) {
            try fixture.tree.file(
                "home/other", contents: [UInt8](repeating: 1, count: 40 * mebibyte))
        }
        // It has taken all that was left, and still there is room for what was promised.
        let piece = Data.pattern(mebibyte)
        for _ in 0..<40 { try room.write(piece) }
        #expect(!fixture.tree.exists("home/movie"))
        let path = try room.publish()
        #expect(path.string == movie.path)
        #expect(try fixture.contents(movie).count == 40 * mebibyte)
        #expect(room.bytes == .zero)
    }

    @Test func r7WhatIsNotFilledIsGivenBack() throws {
        let before = try free
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(40), intent: .essential, at: movie)
        try room.write(Data.pattern(mebibyte))
        #expect(room.bytes == .mebibytes(39))
        try room.publish(isDurable: true)
        #expect(try fixture.tree.status(of: "home/movie").allocatedSize == .mebibytes(1))
        #expect(try free > before - .mebibytes(2))
    }

    @Test(.tags(.r7d)) func r7WhatIsNotPublishedLeavesTheOldFile() throws {
        try fixture.tree.file("home/movie", text: "old")
        let before = try free
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(20), intent: .essential, at: movie)
        try room.write(Data("new".utf8))
        room.finish()
        #expect(try Soon.holds { try free == before })
        #expect(try fixture.tree.contents(of: "home/movie") == Array("old".utf8))
        #expect(try fixture.names("home").sorted() == ["movie"])
        #expect(throws: StorageError.self) { try room.write(Data("more".utf8)) }
    }

    @Test func r7OtherProgramsMayWriteTheFileThatIsKept() throws {
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(20), intent: .essential, at: movie)
        let file = try FileHandle(forWritingTo: URL(filePath: try #require(room.file).string))
        try file.write(contentsOf: Data("by hand".utf8))
        try file.close()
        try room.publish()
        #expect(try fixture.contents(movie) == Data("by hand".utf8))
        #expect(room.file == nil)
    }

    @Test func r3ASaveUsesTheRoomThatWasMadeForIt() throws {
        let place = fixture.storage.directory(for: .lastResort).appending(path: "film")
        try fixture.storage.save(Data("x".utf8), as: .lastResort, named: "first")
        let room = try fixture.storage.makeRoom(
            for: .mebibytes(30), intent: .essential, at: place)
        try fixture.tree.file("home/filler", contents: [UInt8](repeating: 1, count: 30 << 20))
        let data = Data.pattern(28 * mebibyte)
        let url = try fixture.storage.save(data, as: .lastResort, named: "film", using: room)
        #expect(url.path == place.path)
        #expect(try fixture.contents(url) == data)
        let names = try fixture.names("home/.local/share/Podcaster/LastResort")
        #expect(names.filter { $0.hasPrefix("f") || $0.hasPrefix(".") } == ["film", "first"])
        #expect(room.file == nil)
    }

    @Test(arguments: ["home/no/such/movie", "home"])
    func r7ADestinationThatIsNoneIsRefused(path: TreePath) throws {
        let before = try free
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.makeRoom(
                for: .mebibytes(1), intent: .essential,
                at: URL(filePath: fixture.tree.path(path).string))
        }
        #expect(error?.message.contains("make room for") == true)
        #expect(try free == before)
    }
}
