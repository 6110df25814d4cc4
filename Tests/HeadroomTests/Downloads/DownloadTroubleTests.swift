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
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R34: what servers and connections do on bad days.
@Suite("R34: downloads in trouble", .enabled(if: OddSite.isPossible, "needs python3"))
struct DownloadTroubleTests {
    private let server: OddSite
    private let fixture: DownloadFixture

    init() throws {
        server = try OddSite()
        fixture = try DownloadFixture()
    }

    /// Tries once, without taking it up again by itself.
    private func fail(
        _ path: String, _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> StorageError {
        let url = try server.url(path)
        return try await #require(throws: StorageError.self) {
            try await fixture.download(url) { request in
                request.retries = 0
                change(&request)
            }
        }
    }

    private func succeed(
        _ path: String, _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        try #require(try await fixture.download(try server.url(path), change).file)
    }

    // MARK: - Going on

    @Test func aCutTransferIsTakenUpWhereItStands() async throws {
        let file = try await succeed("cut")
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        // The half from this very call is not one that was there before.
        #expect(file.resumed == .zero)
        #expect(
            try server.requests(to: "cut") == [["-", "-", "-"], ["bytes=100000-", "\"1\"", "-"]])
        #expect(try fixture.partials().isEmpty)
    }

    @Test(.tags(.r34d)) func whatACallHasLeftTheNextGoesOnWith() async throws {
        let error = try await fail("cut")
        #expect(error.code == .network)
        #expect(error.message.contains("100 kB"))
        #expect(try fixture.finished().isEmpty)
        #expect(try fixture.partials().count == 1)
        let file = try await succeed("cut")
        #expect(file.resumed == ByteCount(100_000))
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        #expect(try server.requests(to: "cut").last?.first == "bytes=100000-")
        #expect(try fixture.partials().isEmpty)
    }

    @Test(.tags(.r34f)) func thePartialIsTemporary() async throws {
        _ = try await fail("cut")
        let name = try #require(try fixture.partials().first)
        let path = fixture.home.tree.path(DownloadFixture.partials / TreePath(name))
        let mark = try fixture.storage.mark(of: URL(filePath: path.string))
        #expect(mark.purgeClass == .temporary)
        #expect(mark.isExcludedFromBackup == true)
        // Even what is optional may spend it.
        let plan = try await fixture.storage.plan(freeing: ByteCount(1), through: .temporary)
        #expect(plan.map(\.purgeClass) == [.temporary])
    }

    @Test func aTransferIsTakenUpAsOftenAsIsSaid() async throws {
        let url = try server.url("always-cut")
        let error = await #expect(throws: StorageError.self) {
            try await fixture.download(url) { $0.retries = 1 }
        }
        #expect(error?.code == .network)
        #expect(
            try server.requests(to: "always-cut").map { $0[0] } == ["-", "bytes=20000-"])
    }

    @Test(arguments: ["ignores-range", "weak", "no-version"])
    func whereItCannotGoOnItStartsAnew(path: String) async throws {
        let file = try await succeed(path)
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        #expect(file.bytes == ByteCount(Int64(OddSite.content.count)))
        #expect(try server.requests(to: path).count == 2)
    }

    @Test(arguments: ["weak", "no-version", "zipped-cut"])
    func whatCannotBeGoneOnWithIsNotKept(path: String) async throws {
        let error = try await fail(path)
        #expect(error.code == .network)
        #expect(try fixture.partials().isEmpty)
        #expect(try fixture.finished().isEmpty)
    }

    @Test(.tags(.r34d), arguments: ["changed", "changed-badly", "unsatisfiable"])
    func whatHasChangedMeanwhileIsFetchedAnew(path: String) async throws {
        _ = try await fail(path)
        let file = try await succeed(path)
        #expect(try fixture.home.contents(file.url) == OddSite.otherContent)
        #expect(file.resumed == .zero)
    }

    @Test func aPartThatIsNotWhatWasAskedForIsNotTaken() async throws {
        let file = try await succeed("wrong-part")
        #expect(try fixture.home.contents(file.url) == OddSite.content)
    }

    // MARK: - Encodings and lengths

    @Test func whatIsCompressedAllTheSameIsUnpacked() async throws {
        let file = try await succeed("zipped-anyway")
        #expect(try fixture.home.contents(file.url) == OddSite.content)
    }

    @Test func aLengthThatIsNotToldIsTheOneThatComes() async throws {
        let file = try await succeed("unknown-length")
        #expect(try fixture.home.contents(file.url) == OddSite.content)
    }

    @Test func aBodyInChunksThatIsCutIsNotTakenForWhole() async throws {
        let error = try await fail("chunked-cut")
        #expect(error.code == .network)
        #expect(try fixture.finished().isEmpty)
    }

    // MARK: - Errors

    @Test(arguments: [204, 304, 400, 401, 403, 404, 410, 416, 429, 500, 503])
    func whatTheServerAnswersIsTold(status: Int) async throws {
        let error = try await fail("status/\(status)")
        #expect(error.code == .httpStatus)
        #expect(error.httpStatus == status)
        #expect(error.message.contains("\(status)"))
        #expect(try server.requests(to: "status/\(status)").count == 1)
        #expect(try fixture.partials().isEmpty)
    }

    @Test func aServerThatSaysNothingIsAnError() async throws {
        #expect(try await fail("nothing").code == .network)
    }

    @Test func nobodyAtThatPortIsAnError() async throws {
        let port = try FreePort.find()
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(port)/x?key=secret"))
        let error = await #expect(throws: StorageError.self) { try await fixture.download(url) }
        #expect(error?.code == .network)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [("stall", 100_000), ("silent", 0)])
    func aServerThatStopsSendingIsNotWaitedForForEver(path: String, kept: Int) async throws {
        let error = try await fail(path) { $0.stallTimeout = .seconds(3) }
        #expect(error.code == .timedOut)
        // The server would have gone on after a minute.
        let partials = try fixture.partials()
        #expect(partials.count == (kept > 0 ? 1 : 0))
        if let name = partials.first {
            let status = try fixture.home.tree.status(
                of: DownloadFixture.partials / TreePath(name))
            #expect(status.logicalSize.bytes == Int64(kept))
        }
    }

    // MARK: - Digests

    @Test(.tags(.r34e)) func aWrongDigestLeavesNothing() async throws {
        let wanted = SHA256.digest(of: "something else")
        let url = try server.url("plain")
        let error = await #expect(throws: StorageError.self) {
            try await fixture.download(url) { $0.expected = wanted }
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains(wanted.description) == true)
        #expect(try fixture.finished().isEmpty)
        #expect(try fixture.partials().isEmpty)
    }

    @Test func aWrongDigestLeavesTheOldFile() async throws {
        let old = try await succeed("plain")
        let url = try server.url("cut")
        await #expect(throws: StorageError.self) {
            try await fixture.download(url) { $0.expected = SHA256.digest(of: "x") }
        }
        #expect(try fixture.home.contents(old.url) == OddSite.content)
    }

    @Test func theDigestIsOfAllEvenWhenItIsResumed() async throws {
        var hash = SHA256()
        hash.update(OddSite.content.bytes)
        let digest = hash.finish()
        _ = try await fail("cut")
        let file = try await succeed("cut") { $0.expected = digest }
        #expect(file.resumed == ByteCount(100_000))
    }

    // MARK: - Headers and redirects

    @Test func headersAreSentAndNotPassedOnToOthers() async throws {
        let near = try await succeed("near") { $0.headers["Authorization"] = "Bearer x" }
        #expect(near.responseURL == (try server.url("landed")))
        #expect(try server.requests(to: "landed").last?[2] == "Bearer x")
        let away = try await succeed("away") { $0.headers["Authorization"] = "Bearer x" }
        #expect(away.responseURL?.host == "localhost")
        #expect(try server.requests(to: "away").last?[2] == "Bearer x")
        #expect(try server.requests(to: "landed").last?[2] == "-")
    }

    @Test(arguments: ["Range", "if-range", "ACCEPT-ENCODING"])
    func headersOfItsOwnAreRefused(name: String) async throws {
        #expect(try await fail("plain") { $0.headers[name] = "x" }.code == .refused)
    }

    // MARK: - Cancelling

    @Test func cancellingLeavesThePartialAndTheNextGoesOn() async throws {
        let url = try server.url("stall-once")
        var request = DownloadRequest(url, intent: .requested)
        request.name = "file"
        let (storage, sent) = (fixture.storage, request)
        let task = Task { try await storage.download(sent) }
        try await fixture.waitForPartial(of: 100_000)
        task.cancel()
        let error = await #expect(throws: StorageError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try fixture.partials().count == 1)
        #expect(try fixture.finished().isEmpty)

        let file = try #require(try await storage.download(sent).file)
        #expect(file.resumed == ByteCount(100_000))
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        #expect(try fixture.partials().isEmpty)
        #expect(
            try server.requests(to: "stall-once")
                == [["-", "-", "-"], ["bytes=100000-", "\"1\"", "-"]])
    }

    @Test func aCancelledTaskDownloadsNothing() async throws {
        let url = try server.url("plain")
        let (storage, request) = (fixture.storage, DownloadRequest(url, intent: .optional))
        let task = Task {
            try? await Task.sleep(for: .seconds(60))
            return try await storage.download(request)
        }
        task.cancel()
        let error = await #expect(throws: StorageError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try server.requests(to: "plain").isEmpty)
    }

    @Test func progressGoesUpToTheEnd() async throws {
        let seen = Mutex<[DownloadProgress]>([])
        _ = try await fixture.storage.download(try server.url("plain"), intent: .optional) {
            progress in seen.withLock { $0.append(progress) }
        }
        let all = seen.withLock { $0 }
        #expect(all.last?.fraction == 1)
        #expect(all.map(\.received) == all.map(\.received).sorted())
    }
}
