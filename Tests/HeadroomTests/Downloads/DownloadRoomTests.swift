//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomDownloads
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

/// R34 and R6: downloads on a volume of 64 MiB.
@Suite(
    "R34: downloads on a full volume",
    .enabled(
        if: NginxSite.isInstalled && OddSite.isPossible && Privilege.canMount,
        "needs nginx, python3, and root to mount"))
struct DownloadRoomTests {
    private let server: NginxSite
    private let odd: OddSite
    private let fixture: DownloadFixture
    private let mebibyte = 1 << 20

    init() throws {
        server = try NginxSite()
        odd = try OddSite()
        fixture = try DownloadFixture(volume: .mebibytes(64))
        // The ledger and the reservations lie on the volume too: made before anything is measured.
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
        try server.files.sparseFile("20", size: .mebibytes(20))
        try server.files.sparseFile("40", size: .mebibytes(40))
    }

    private var available: ByteCount {
        get async throws { try #require(try await fixture.storage.capacity().available.bytes) }
    }

    /// Leaves so much of the volume.
    private func fill(leaving bytes: Int) async throws {
        let size = Int(try await available.bytes) - bytes
        try await fixture.storage.save(
            Data(repeating: 1, count: size), as: .essential(.appData), named: "fills")
    }

    @Test(.tags(.r34b)) func whatDoesNotFitIsDeclinedBeforeItComes() async throws {
        try await fill(leaving: 15 * mebibyte)
        let before = try await available
        for intent in [Intent.optional, .requested] {
            let result = try await fixture.download(try server.url("20"), intent: intent)
            guard case .declined(let advice) = result,
                case .doesNotFit(let shortBy) = advice.verdict
            else {
                Issue.record("\(result)")
                return
            }
            #expect(shortBy >= .mebibytes(5))
            #expect(advice.content == (intent == .optional ? .cache : .lastResort))
        }
        #expect(try fixture.partials().isEmpty)
        #expect(try fixture.finished().isEmpty)
        #expect(try await available >= before - ByteCount(1 << 16))
    }

    @Test(.tags(.r34b)) func nothingIsDeletedForWhatDoesNotFit() async throws {
        for number in 1...5 {
            try await fixture.storage.save(
                Data(repeating: 2, count: 2 * mebibyte), as: .cache, named: "\(number)")
        }
        // Less than the reserve, which the caches would give.
        try await fill(leaving: mebibyte)
        let before = try await available
        let result = try await fixture.download(try server.url("20"), intent: .requested)
        guard case .declined = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try await available <= before)
    }

    @Test func whatHasNoLengthKeepsTheReserveFree() async throws {
        try await fixture.storage.save(
            Data(repeating: 2, count: 10 * mebibyte), as: .cache, named: "cache")
        try await fill(leaving: mebibyte)
        let before = try await available
        let result = try await fixture.download(
            try odd.url("unknown-length"), intent: .requested)
        #expect(result.file != nil)
        #expect(try await available > before)
    }

    @Test func underPressureWhatIsOptionalIsNotEvenAskedFor() async throws {
        try await fill(leaving: 4 * mebibyte)
        let result = try await fixture.download(try server.url("20"), intent: .optional)
        guard case .declined = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try server.requests(to: "20").isEmpty)
    }

    @Test func roomIsMadeWithinWhatTheIntentMaySpend() async throws {
        for number in 0..<5 {
            try await fixture.storage.save(
                Data(repeating: 2, count: 10 * mebibyte), as: .cache, named: "c\(number)")
        }
        // Live caches are not for what is optional.
        let optional = try await fixture.download(try server.url("20"), intent: .optional)
        #expect(optional.file == nil)
        #expect(
            try fixture.home.names("home/.cache/Podcaster").filter { $0.hasPrefix("c") }.count == 5)
        let requested = try await fixture.download(try server.url("20"))
        #expect(requested.file?.bytes == .mebibytes(20))
        let left = try fixture.home.names("home/.cache/Podcaster").filter { $0.hasPrefix("c") }
        #expect(left.count < 5)
        #expect(left.count > 1)
    }

    @Test func whatIsEssentialIsTriedAndSaysWhatIsMissing() async throws {
        try await fill(leaving: 15 * mebibyte)
        let error = await #expect(throws: StorageError.self) {
            try await fixture.download(try server.url("20"), intent: .essential)
        }
        #expect(error?.code == .insufficientSpace)
        #expect((error?.shortBy ?? .zero) >= .mebibytes(4))
        #expect(try fixture.finished().isEmpty)
        // What came can be gone on with, and is temporary.
        #expect(try fixture.partials().count == 1)
        try FileManager.default.removeItem(
            at: fixture.storage.directory(for: .essential(.appData)).appending(path: "fills"))
        let file = try #require(
            try await fixture.download(try server.url("20"), intent: .essential).file)
        #expect(file.resumed > .mebibytes(10))
        #expect(try fixture.partials().isEmpty)
    }

    @Test func roomThatOthersTakeMeanwhileIsMadeAgain() async throws {
        try await fixture.storage.save(
            Data(repeating: 2, count: 20 * mebibyte), as: .cache, named: "c")
        let url = try odd.url("gated")
        let task = Task { [downloader = fixture.downloader] in
            try await downloader.download(url, intent: .essential)
        }
        try await fixture.waitForPartial(of: OddSite.content.count / 2)
        // Somebody who knows nothing of reservations takes all there is.
        let directory = fixture.home.base.path
        for size in [mebibyte, 4096] {
            var number = 0
            while FileManager.default.createFile(
                atPath: directory.appending("other-\(size)-\(number)").string,
                contents: Data(repeating: 1, count: size))
            {
                number += 1
            }
        }
        try odd.openGate()
        let file = try #require(try await task.value.file)
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        #expect(!fixture.home.tree.exists("home/.cache/Podcaster/c"))
    }

    @Test func itsOwnUnfinishedFileIsNotCountedOn() async throws {
        for number in 0..<3 {
            try await fixture.storage.save(
                Data(repeating: 2, count: 10 * mebibyte), as: .cache, named: "c\(number)")
        }
        try await fill(leaving: 15 * mebibyte)
        // The first ends for want of room with what came; caches would make room for the rest.
        let file = try #require(
            try await fixture.download(try server.url("40"), intent: .essential).file)
        #expect(file.bytes == .mebibytes(40))
    }

    @Test func twoThatDoNotFitTogetherAreNotBothTried() async throws {
        try await fill(leaving: 30 * mebibyte)
        let url = try server.url("20")
        let downloader = fixture.downloader
        async let one = downloader.download(url) { $0.name = "one" }
        async let two = downloader.download(url) { $0.name = "two" }
        let files = try await [one, two].compactMap(\.file)
        #expect(files.count == 1)
        #expect(try fixture.finished().count == 1)
        #expect(try fixture.partials().isEmpty)
    }

    @Test func anotherCallsReservationIsRespected() async throws {
        let room = try await fixture.storage.makeRoom(for: .mebibytes(40), intent: .essential)
        let result = try await fixture.download(try server.url("20"))
        #expect(result.file == nil)
        room.finish()
        #expect(try await fixture.download(try server.url("20")).file != nil)
    }
}
