//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// `headroom forecast` over a history.
@Suite(.blocks)
struct ForecastCommandTests {
    let home: Home

    init() throws { home = try Home(on: .memory) }

    private var state: FilePath { home.directory.path.appending("state/history.sqlite") }

    /// Four weeks in which a volume lost every hour what makes it full in 40 days from now.
    private func recordFilling(_ image: MountedImage, at path: FilePath) throws {
        let volume = try Volume.containing(image.path)
        let available = try #require(volume.available)
        let total = try #require(volume.figures?.total)
        let now = Timestamp.now()
        let rate = available.bytes / (40 * 24)
        let history = try History.open(at: path, now: now)
        try history.record(
            (1...28 * 24).map { hours in
                (
                    HistoryVolume(volume),
                    ForecastSample(
                        time: now.advanced(by: .seconds(-3_600 * hours)),
                        available: min(total, available + ByteCount(rate * Int64(hours))),
                        total: total)
                )
            })
        try history.close()
    }

    @Test func saysThatThereIsNoHistory() throws {
        let result = try home.run("forecast", home.path.string, "--directory", "/dev")
        #expect(result.exitCode == 0)
        #expect(result.output.contains("There is no history yet"))
        #expect(!home.directory.tree.exists("state"))
    }

    /// Of 40 MB, 25 are used.
    private func makeImage() throws -> MountedImage {
        let image = try MountedImage.tmpfs(size: .megabytes(40))
        try image.tree.file("a", size: .megabytes(25))
        return image
    }

    @Test(.tags(.r28c), .enabled(if: Privilege.canMount, "needs root to mount a volume"))
    func tellsWhenAVolumeFills() throws {
        let image = try makeImage()
        try recordFilling(image, at: state)
        let result = try home.run("forecast", image.path.string)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("fills in about"))
        let json = try home.run("forecast", image.path.string, "--json")
        let likely = json.values("likelySeconds").compactMap { Int($0) }
        // Of warning, critical and full, each later than the one before.
        #expect(likely.count == 3 && likely == likely.sorted())
        #expect((20...80).contains((likely.last ?? 0) / 86_400), "\(likely)")
        #expect(Int(json.json("samples") ?? "") == 28 * 24 + 1)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount a volume"))
    func readsWhereTheConfigurationSays() throws {
        let image = try makeImage()
        try recordFilling(image, at: home.directory.path.appending("elsewhere/h.sqlite"))
        try home.tree.directory("etc")
        try home.tree.file(
            "etc/headroom.yaml",
            text: "history: { path: \(home.directory.path)/elsewhere/h.sqlite }")
        let result = try home.run(
            "forecast", image.path.string, "--directory",
            home.directory.path.appending("etc").string)
        #expect(result.output.contains("fills in about"))
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount a volume"))
    func statusSaysWhenAVolumeFills() throws {
        let image = try makeImage()
        #expect(try !home.run("status", image.path.string).output.contains("fills"))
        try recordFilling(image, at: state)
        let result = try home.run("status", image.path.string)
        #expect(result.output.contains("fills in about"))
        let json = try home.run("status", image.path.string, "--json")
        #expect(json.values("likelySeconds").count == 3)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount a volume"))
    func statusReadsWhereTheConfigurationSays() throws {
        let image = try makeImage()
        try recordFilling(image, at: home.directory.path.appending("elsewhere/h.sqlite"))
        try home.tree.directory("etc")
        try home.tree.file(
            "etc/headroom.yaml",
            text: "history: { path: \(home.directory.path)/elsewhere/h.sqlite }")
        let directory = home.directory.path.appending("etc").string
        let result = try home.run("status", image.path.string, "--directory", directory)
        #expect(result.output.contains("fills in about"))
        #expect(try !home.run("status", image.path.string).output.contains("fills"))
    }

    @Test func refusesADamagedHistory() throws {
        try home.tree.directory("state")
        try home.tree.file(
            "state/history.sqlite", text: String(repeating: "no database", count: 99))
        let result = try home.run("forecast", home.path.string)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("may be deleted"))
    }
}
