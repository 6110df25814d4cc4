//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R24, R28: the service looks ahead by its history.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeForecastTests {
    /// Two days in which the volume lost every hour so much that warning begins in five more.
    private func recordFilling(_ volume: ServedVolume) throws {
        let figures = try volume.figures
        let available = figures.available.bytes
        let perHour = (available - volume.size.bytes / 10) / 5
        let now = Timestamp.now()
        let state = volume.home.directory.path.appending("state/history.sqlite")
        let history = try History.open(at: state, now: now)
        let place = HistoryVolume(try Volume.containing(volume.image.path))
        try history.record(
            (1...48).map { hours in
                (
                    place,
                    ForecastSample(
                        time: now.advanced(by: .seconds(-3_600 * Int64(hours))),
                        available: ByteCount(available + perHour * Int64(hours)),
                        total: figures.total)
                )
            })
        try history.close()
    }

    @Test(.tags(.r24d, .r28d)) func temporaryContentGoesBeforeItIsShort() throws {
        let volume = try ServedVolume(size: .mebibytes(256))
        try volume.configure("act")
        for area in ["temporary", "cache", "lastResort"] {
            for number in 0..<30 {
                try volume.image.tree.file("\(area)/\(number)" as TreePath, size: .mebibytes(1))
            }
        }
        // The level is normal, and less is available than a purge would reach: twice 10 %.
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - .mebibytes(38))
        try recordFilling(volume)
        let child = try volume.serve()
        try child.readOutput(until: "): freed")
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0)
        // 51.2 MiB are to be available: 14 of the files, and no more.
        #expect(try volume.count("temporary") == 16, "\(result.output)")
        #expect(try volume.count("cache") == 30, "it is not short yet")
        #expect(try volume.count("lastResort") == 30)
        #expect(!result.output.contains("short of space"), "the level was never warning")
        #expect(try volume.figures.available.bytes >= volume.size.bytes / 5)
    }
}
#endif
