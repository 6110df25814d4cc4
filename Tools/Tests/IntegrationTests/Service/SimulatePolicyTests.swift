//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// `headroom simulate --policy`: what the service would do.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct SimulatePolicyTests {
    private func makeVolume(_ more: String = "") throws -> ServedVolume {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act", more: more)
        for area in ["temporary", "cache", "lastResort", "essential"] {
            for number in 0..<5 {
                let path = TreePath(area) / TreePath("\(number)")
                try volume.image.tree.file(path, size: .mebibytes(1))
                try volume.image.tree.age(path, by: .seconds(3_600 * Int64(10 - number)))
            }
        }
        return volume
    }

    private func simulate(
        _ volume: ServedVolume, _ available: String, _ more: String...
    ) throws -> ChildResult {
        try volume.home.run(
            [
                "simulate", "--policy", volume.directory + "/headroom.yaml", "--if-available",
                available,
            ]
                + more)
    }

    private func names(_ result: ChildResult, _ volume: ServedVolume) -> [String] {
        result.values("path").map { $0.filter { $0 != "\"" } }.compactMap { path in
            let root = volume.image.path.string + "/"
            return path.hasPrefix(root) ? String(path.dropFirst(root.utf8.count)) : nil
        }
    }

    @Test(.tags(.r39b)) func warningSpendsTemporaryAndThenCaches() throws {
        let volume = try makeVolume()
        // 12.8 MiB are to be available: 7 of the files.
        let result = try simulate(volume, "6MiB", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.json("level") == "\"warning\"")
        #expect(result.values("purpose") == ["\"warning\"", "\"due\""])
        let temporary = (0..<5).map { "temporary/\($0)" }
        #expect(names(result, volume) == temporary + ["cache/0", "cache/1"])
        for area in ["temporary", "cache"] { #expect(try volume.count(area) == 5) }
        #expect(result.json("wouldDelete") == "true")
    }

    @Test(.tags(.r39b)) func whatIsSetForTheVolumeCounts() throws {
        let volume = try makeVolume()
        #expect(try simulate(volume, "20MiB", "--json").json("level") == "\"normal\"")
        let own = "volumes:\n  \(volume.image.path.string):\n    warning: 50 %\n"
        try volume.configure("act", more: own)
        #expect(try simulate(volume, "20MiB", "--json").json("level") == "\"warning\"")
    }

    @Test(.tags(.r39b)) func criticalSpendsLastResortToo() throws {
        let volume = try makeVolume("policy:\n  target-factor: 4\n")
        let result = try simulate(volume, "1MiB", "--json")
        #expect(result.json("level") == "\"critical\"")
        #expect(names(result, volume).contains("lastResort/0"))
        #expect(!names(result, volume).contains { $0.hasPrefix("essential") })
        #expect(try volume.count("lastResort") == 5)
    }

    @Test func saysWhatCannotBeHelped() throws {
        let volume = try makeVolume("policy:\n  target-factor: 9\n")
        let result = try simulate(volume, "6MiB")
        #expect(result.exitCode == 3)
        #expect(result.output.contains("only temporary content goes"))
        #expect(!result.output.contains("cache/0"))
    }

    @Test func nothingIsDoneWhereEnoughIsAvailable() throws {
        let volume = try makeVolume("policy:\n  quiet-hours: [\"00:00-24:00\"]\n")
        let result = try simulate(volume, "50%", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.json("level") == "\"normal\"")
        #expect(result.values("purpose").isEmpty)
        #expect(result.values("code").contains("\"quiet-hours\""))
    }

    @Test func aBadConfigurationIsSaid() throws {
        let volume = try makeVolume()
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        let result = try simulate(volume, "6MiB")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("headroom.yaml:1"))
    }
}
#endif
