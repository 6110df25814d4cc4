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
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// R34: several at once, and processes that die, against a real server.
@Suite(
    "R34: downloads of many and of the dead",
    .enabled(if: NginxSite.isInstalled && OddSite.isPossible, "needs nginx and python3"))
struct DownloadSharingTests {
    private let server: NginxSite
    private let odd: OddSite
    private let fixture: DownloadFixture
    private static let content = Data.pattern(3_000_000)
    /// Takes long to be sent slowly.
    private static let longContent = Data((0..<10).map { _ in content }.joined())
    private var content: Data { Self.content }

    init() throws {
        server = try NginxSite()
        odd = try OddSite()
        fixture = try DownloadFixture()
        try server.files.file("file", contents: Array(content))
    }

    private func start(_ url: URL, intent: Intent = .requested) throws -> ChildProcess {
        let base = fixture.home.base.path
        return try ChildProcess(
            try #require(BuiltProgram.path("DownloadDriver")),
            [
                base.appending("home").string, base.appending("ledger").string,
                url.absoluteString, intent.rawValue,
            ])
    }

    @Test(.tags(.r34c)) func twoCallsAtOnceAreOneDownload() async throws {
        let url = try odd.url("gated")
        let results = try await withThrowingTaskGroup(of: DownloadedFile?.self) { group in
            for _ in 0..<3 {
                group.addTask { [downloader = fixture.downloader] in
                    try await downloader.download(url).file
                }
            }
            try await fixture.waitForPartial(of: OddSite.content.count / 2)
            try odd.openGate()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let files = results.compactMap(\.self)
        #expect(files.count == 3)
        #expect(Set(files.map(\.url)).count == 1)
        #expect(files.allSatisfy { $0.bytes.bytes == Int64(OddSite.content.count) })
        #expect(try odd.requests(to: "gated").count == 1)
        #expect(files.map(\.isShared).filter { !$0 }.count == 1)
        #expect(try fixture.home.contents(files[0].url) == OddSite.content)
    }

    @Test func twoProcessesAtOnceAreOneDownload() async throws {
        let url = try odd.url("gated")
        let other = try start(url)
        #expect(try other.readOutput(until: "begun"))
        let waiting = AsyncStream.makeStream(of: Void.self)
        let (storage, request) = (fixture.storage, fixture.downloader.request(url))
        let task = Task {
            // What the other one has is the first thing that is told.
            try await storage.download(request) { _ in waiting.continuation.yield() }
        }
        for await _ in waiting.stream { break }
        try odd.openGate()
        let file = try #require(try await task.value.file)
        #expect(file.isShared)
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        let result = try other.wait()
        #expect(
            result.output.contains("done \(OddSite.content.count) 0 false"), "\(result.output)")
        #expect(try odd.requests(to: "gated").count == 1)
    }

    @Test func whoWaitsGoesOnWhereACancelledCallStopped() async throws {
        let half = OddSite.content.count / 2
        let url = try odd.url("gated")
        let first = Task { [downloader = fixture.downloader] in
            try await downloader.download(url)
        }
        try await fixture.waitForPartial(of: half)
        let second = Task { [downloader = fixture.downloader] in
            try await downloader.download(url)
        }
        first.cancel()
        await #expect(throws: StorageError.self) { try await first.value }
        try odd.openGate()
        let file = try #require(try await second.value.file)
        #expect(!file.isShared)
        #expect(file.resumed.bytes == Int64(half))
        #expect(try fixture.home.contents(file.url) == OddSite.content)
    }

    @Test func sameURLToTwoPlacesIsTwoDownloads() async throws {
        let url = try server.url("file")
        let downloader = fixture.downloader
        async let one = downloader.download(url) { $0.name = "one" }
        async let two = downloader.download(url) { $0.name = "two" }
        let files = try await [one, two].compactMap(\.file)
        #expect(files.allSatisfy { !$0.isShared })
        #expect(try fixture.finished() == ["one", "two"])
    }

    @Test func whatAKilledProcessHasLeftIsGoneOnWith() throws {
        try server.files.remove("file")
        try server.files.file("file", contents: Array(Self.longContent))
        let url = try server.url("slow/file")
        let child = try start(url)
        #expect(try child.readOutput(until: "begun"))
        try fixture.blockUntilPartial(of: 500_000)
        child.send(SIGKILL)
        _ = try child.wait()
        #expect(try fixture.finished().isEmpty)
        let name = try #require(try fixture.partials().first)
        let left = try fixture.home.tree.status(of: DownloadFixture.partials / TreePath(name))
            .logicalSize
        let again = try start(url)
        let result = try again.wait()
        #expect(result.output.contains("done 30000000 \(left.bytes) false"), "\(result.output)")
        #expect(try fixture.finished() == ["file"])
        #expect(
            try fixture.home.tree.contents(of: DownloadFixture.downloads / "file")
                == Array(Self.longContent))
        #expect(try fixture.partials().isEmpty)
        // Only the rest went over the wire.
        let second = try #require(try server.requests(to: "slow/file").last)
        #expect(second.status == 206)
        #expect(second.range == "bytes=\(left.bytes)-")
        #expect(second.bodyBytes == 30_000_000 - Int(left.bytes))
    }

    @Test(.tags(.r34e), arguments: [0, 5, 10, 20, 40, 80, 160])
    func killedAtAnyMomentThereIsAllOrNothing(milliseconds: Int) async throws {
        let child = try start(try server.url("file"))
        try await Task.sleep(for: .milliseconds(milliseconds))
        child.send(SIGKILL)
        _ = try child.wait()
        for name in try fixture.finished() {
            #expect(
                try fixture.home.tree.contents(of: DownloadFixture.downloads / TreePath(name))
                    == Array(content))
        }
        let file = try #require(try await fixture.download(try server.url("file")).file)
        #expect(try fixture.home.contents(file.url) == content)
        #expect(try fixture.storage.mark(of: file.url).purgeClass == .lastResort)
        #expect(try fixture.partials().isEmpty)
    }

    @Test func aPurgeLeavesWhatIsBeingDownloaded() async throws {
        let url = try odd.url("gated")
        let task = Task { [downloader = fixture.downloader] in try await downloader.download(url) }
        try await fixture.waitForPartial(of: OddSite.content.count / 2)
        let workspace = Workspace.open(
            environment: ["TMPDIR": fixture.home.base.path.appending("tmp").string],
            home: fixture.home.base.path.appending("home"),
            ledgerDirectory: fixture.home.base.path.appending("ledger"),
            minIdle: .none, clock: { Timestamp.wallClock() })
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        #expect(plan.count == 1)
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.removedCount == 0)
        try odd.openGate()
        let file = try #require(try await task.value.file)
        #expect(try fixture.home.contents(file.url) == OddSite.content)
        #expect(try odd.requests(to: "gated").count == 1)
    }

    @Test func whatIsNotOursOrJustMadeIsNotSweptUp() async throws {
        let directory = DownloadFixture.partials
        try fixture.home.tree.directory(directory)
        // Made within this minute: somebody may be about to lock it.
        try fixture.home.tree.file(directory / "no-state.part", text: "x")
        try fixture.home.tree.file(directory / "other", text: "x")
        _ = try await fixture.download(try server.url("file"))
        #expect(try fixture.partials() == ["no-state.part"])
        #expect(fixture.home.tree.exists(directory / "other"))
    }

    @Test func redirectsAreFollowed() async throws {
        let file = try #require(try await fixture.download(try server.url("moved/file")).file)
        #expect(file.responseURL == (try server.url("file")))
        #expect(try fixture.home.contents(file.url) == content)
        let error = await #expect(throws: StorageError.self) {
            try await fixture.download(try server.url("loop"))
        }
        #expect(error?.code == .network)
    }

    @Test func nothingIsCompressedOnTheWay() async throws {
        let text = Array(repeating: UInt8(ascii: "a"), count: 100_000)
        try server.files.file("a.txt", contents: text)
        let file = try #require(try await fixture.download(try server.url("zipped/a.txt")).file)
        #expect(file.bytes == ByteCount(100_000))
        #expect(try server.requests(to: "zipped/a.txt").first?.bodyBytes == 100_000)
    }

    @Test func anEmptyFileIsAFile() async throws {
        try server.files.file("empty", contents: [])
        let file = try #require(try await fixture.download(try server.url("empty")).file)
        #expect(file.bytes == .zero)
        #expect(try fixture.home.contents(file.url).isEmpty)
    }

    @Test func manyAtOnceAreAllRight() async throws {
        for number in 0..<20 {
            try server.files.file(
                "many-\(number)", contents: Array(Data.pattern(40_000, seed: UInt8(number))))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let url = try server.url("many-\(number)")
                group.addTask { [downloader = fixture.downloader] in
                    let file = try #require(
                        try await downloader.download(
                            url,
                            intent: number % 2 == 0 ? .optional : .requested
                        ) { $0.name = "many/\(number)" }.file)
                    #expect(
                        try Data(contentsOf: file.url)
                            == Data.pattern(40_000, seed: UInt8(number)))
                }
            }
            try await group.waitForAll()
        }
    }
}

/// R34: an unfinished file that somebody has removed, and another call has begun anew.
struct ResumableFileTests {
    @Test func anotherFileOfTheNameIsNotPublished() throws {
        let base = try TemporaryDirectory(on: .memory)
        let directory = try Descriptor.openDirectory(base.path)
        let name = try #require(FileName("a.part"))
        let mine = try ResumableFile(name, in: directory.rawValue, makes: true)
        #expect(mine.isInPlace(directory.rawValue))
        try base.tree.remove("a.part")
        try base.tree.file("a.part", text: "half of another")
        #expect(!mine.isInPlace(directory.rawValue))
        let destination = try #require(FileName("a"))
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try mine.publish(
                from: directory.rawValue, to: destination, in: directory.rawValue)
        }
        #expect(try base.tree.names(in: "").map(\.text) == ["a.part"])
    }

    @Test func lookingMakesNothing() throws {
        let base = try TemporaryDirectory(on: .memory)
        let directory = try Descriptor.openDirectory(base.path)
        let name = try #require(FileName("a.part"))
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try ResumableFile(name, in: directory.rawValue, makes: false)
        }
        #expect(try base.tree.names(in: "").isEmpty)
    }
}
