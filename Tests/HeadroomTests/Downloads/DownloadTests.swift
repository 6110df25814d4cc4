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

/// What is looked at in a home after a download.
struct DownloadFixture {
    let home: StorageFixture

    init() throws { home = try StorageFixture() }
    init(volume size: ByteCount) throws { home = try StorageFixture(volume: size) }

    var storage: Storage { home.storage }

    static let downloads: TreePath = "home/.local/share/Podcaster/Downloads"
    static let partials: TreePath = "home/.local/share/Podcaster/.headroom-downloads"

    /// What is unfinished.
    func partials(_ path: TreePath = Self.partials) throws -> [String] {
        home.tree.exists(path) ? try home.names(path).filter { $0.hasSuffix(".part") } : []
    }

    /// What is finished.
    func finished(_ path: TreePath = Self.downloads) throws -> [String] {
        home.tree.exists(path) ? try home.names(path) : []
    }

    /// Waits until so much of a download is there.
    func waitForPartial(of size: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while try !hasPartial(of: size) {
            try Self.check(deadline, size)
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// For what another process downloads: gives this thread to nobody, since on a busy machine it
    /// would come back when all is over.
    func blockUntilPartial(of size: Int) throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while try !hasPartial(of: size) {
            try Self.check(deadline, size)
            Pause.milliseconds(5)
        }
    }

    private static func check(_ deadline: ContinuousClock.Instant, _ size: Int) throws {
        guard ContinuousClock.now < deadline else {
            throw FixtureError("wait", on: "\(size) bytes of a download")
        }
    }

    private func hasPartial(of size: Int) throws -> Bool {
        guard let name = try partials().first,
            let status = try? home.tree.status(of: Self.partials / TreePath(name))
        else { return false }
        return status.logicalSize.bytes >= Int64(size)
    }

    /// To be used in tasks.
    var downloader: Downloader { Downloader(storage: storage) }

    func download(
        _ url: URL, intent: Intent = .requested,
        _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> DownloadResult {
        try await downloader.download(url, intent: intent, change)
    }
}

struct Downloader: Sendable {
    let storage: Storage

    func request(_ url: URL, intent: Intent = .requested) -> DownloadRequest {
        var request = DownloadRequest(url, intent: intent)
        request.name = "file"
        request.stallTimeout = .seconds(300)
        return request
    }

    func download(
        _ url: URL, intent: Intent = .requested,
        _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> DownloadResult {
        var request = request(url, intent: intent)
        change(&request)
        return try await storage.download(request)
    }
}

/// R34: where downloads go, and what they are there.
@Suite("R34: places of downloads", .enabled(if: NginxSite.isInstalled, "needs nginx"))
struct DownloadPlaceTests {
    private let server: NginxSite
    private let fixture: DownloadFixture
    private let content = Data.pattern(200_000)

    init() throws {
        server = try NginxSite()
        fixture = try DownloadFixture()
        try server.files.file("episode.mp3", contents: Array(content))
    }

    @Test(
        .tags(.r34a),
        arguments: [
            (Intent.optional, ".cache/Podcaster/Downloads/file", nil, true),
            (.requested, ".local/share/Podcaster/Downloads/file", PurgeableClass.lastResort, true),
            (.essential, ".local/share/Podcaster/Downloads/file", nil, true),
        ])
    func eachIntentHasItsPlaceAndItsMark(
        intent: Intent, place: String, purgeClass: PurgeableClass?, isExcluded: Bool?
    ) async throws {
        let result = try await fixture.download(try server.url("episode.mp3"), intent: intent)
        let file = try #require(result.file)
        #expect(file.url.path == fixture.home.base.path.string + "/home/" + place)
        #expect(file.bytes == ByteCount(200_000))
        #expect(file.resumed == .zero)
        #expect(!file.isShared)
        #expect(file.responseURL == (try server.url("episode.mp3")))
        #expect(try fixture.home.contents(file.url) == content)
        let mark = try fixture.storage.mark(of: file.url)
        #expect(mark.purgeClass == purgeClass)
        #expect(mark.isExcludedFromBackup == isExcluded)
        #expect(mark.isPinned == nil)
        let backup = try await fixture.storage.backupExclusion(of: file.url)
        #expect(backup.isExcluded)
        // Those in the cache by what its directory says.
        #expect(backup.isVisibleToPrograms)
        #expect(try fixture.partials().isEmpty)
        #expect(try fixture.partials("home/.cache/Podcaster/.headroom-downloads").isEmpty)
        #expect(try server.requests(to: "episode.mp3").map(\.status) == [200])
    }

    /// What a plan that may spend everything would take of the home.
    private func planned() throws -> [String] {
        let workspace = Workspace.open(
            environment: ["TMPDIR": fixture.home.base.path.appending("tmp").string],
            home: fixture.home.base.path.appending("home"),
            ledgerDirectory: fixture.home.base.path.appending("ledger"),
            minIdle: .none, clock: { Timestamp.wallClock() })
        let scope = workspace.scope()
        return try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
            .map { $0.path.lastComponent?.string ?? "" }
    }

    @Test(.tags(.r34a)) func requestedGoesAsLastResortAndEssentialBesideItNever() async throws {
        let url = try server.url("episode.mp3")
        _ = try await fixture.download(url, intent: .essential) { $0.name = "kept" }
        _ = try await fixture.download(url, intent: .requested) { $0.name = "given" }
        #expect(try fixture.finished() == ["given", "kept"])
        #expect(try planned() == ["given"])
        // The other way round, one after the other under one name.
        _ = try await fixture.download(url, intent: .essential) { $0.name = "given" }
        #expect(try planned().isEmpty)
    }

    @Test func whatIsEssentialIsPinnedWhereTheDirectoryIsNot() async throws {
        let url = try server.url("episode.mp3")
        let first = try #require(try await fixture.download(url, intent: .requested).file)
        try fixture.storage.mark(first.url.deletingLastPathComponent(), .lastResort)
        let file = try #require(
            try await fixture.download(url, intent: .essential) { $0.name = "kept" }.file)
        #expect(try fixture.storage.mark(of: file.url).isPinned == true)
        #expect(try planned() == ["file"])
        // In the directory of what is last resort by its place.
        let other = try #require(
            try await fixture.download(url, intent: .essential) { $0.collection = "LastResort" }
                .file)
        #expect(try fixture.storage.mark(of: other.url).isPinned == true)
    }

    @Test func aPinIsKeptWhenTheFileIsReplaced() async throws {
        let url = try server.url("episode.mp3")
        let file = try #require(try await fixture.download(url).file)
        try fixture.storage.mark(file.url, .pinned, .importance(90))
        _ = try await fixture.download(url)
        let mark = try fixture.storage.mark(of: file.url)
        #expect(mark.isPinned == true)
        #expect(mark.importance == 90)
        #expect(mark.purgeClass == .lastResort)
    }

    @Test func theCollectionIsTheDirectory() async throws {
        let url = try server.url("episode.mp3")
        let file = try #require(
            try await fixture.download(url) {
                $0.collection = "Offline/Maps"
                $0.name = "north/42.png"
            }.file)
        #expect(file.url.path.hasSuffix("/.local/share/Podcaster/Offline/Maps/north/42.png"))
        let cached = try #require(
            try await fixture.download(url, intent: .optional) { $0.collection = "Maps" }.file)
        #expect(cached.url.path.hasSuffix("/.cache/Podcaster/Downloads/Maps/file"))
    }

    @Test(arguments: ["../x", "/etc/passwd", "", "a//b", ".headroom-x"])
    func aNameThatLeadsElsewhereIsRefused(name: String) async throws {
        let url = try server.url("episode.mp3")
        for inCollection in [false, true] {
            let error = await #expect(throws: StorageError.self) {
                try await fixture.download(url) { request in
                    if inCollection { request.collection = name } else { request.name = name }
                }
            }
            #expect(error?.code == .invalidName)
        }
        #expect(try server.requests(to: "episode.mp3").isEmpty)
    }

    @Test func withoutANameItIsMadeFromTheURL() async throws {
        try server.files.file("a b.tar.gz", contents: [1])
        let url = try server.url("a%20b.tar.gz")
        let one = try #require(try await fixture.download(url) { $0.name = nil }.file)
        let name = one.url.lastPathComponent
        #expect(name.hasPrefix("a b.tar-"))
        #expect(name.hasSuffix(".gz"))
        let other = try #require(
            try await fixture.download(try server.url("a%20b.tar.gz?v=2")) { $0.name = nil }.file)
        #expect(other.url != one.url)
        let again = try #require(try await fixture.download(url) { $0.name = nil }.file)
        #expect(again.url == one.url)
    }

    @Test(arguments: [
        ("", "download-"), ("..", "download-"), (".hidden", "hidden-"), ("a/b\\c", "a-b-c-"),
        ("nul\0x", "nul-x-"), ("x.", "x-"),
    ])
    func aNameFromAURLIsHarmless(last: String, prefix: String) {
        let name = DownloadName.name(lastComponent: last, url: "http://x/")
        #expect(name.hasPrefix(prefix))
        #expect(!name.hasSuffix("."))
    }

    @Test func aNameFromALongURLFits() {
        let name = DownloadName.name(
            lastComponent: String(repeating: "é", count: 400) + ".jpeg", url: "http://x/")
        #expect(name.utf8.count <= 255)
        #expect(name.hasSuffix(".jpeg"))
    }

    @Test func aDirectoryIsNotReplaced() async throws {
        try fixture.home.tree.directory(DownloadFixture.downloads / "file/inner")
        let error = await #expect(throws: StorageError.self) {
            try await fixture.download(try server.url("episode.mp3"))
        }
        #expect(error?.code == .invalidName)
        #expect(try server.requests(to: "episode.mp3").isEmpty)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://localhost/x", "http:///x", "x"])
    func onlyHTTPIsDownloaded(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await #expect(throws: StorageError.self) { try await fixture.download(url) }
        #expect(error?.code == .refused)
    }
}
