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

@Suite(
    "R19: purgeable directories on the service's schedule", .blocks,
    .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct SweepDirectoryTests {
    private let volume: ServedVolume

    init() throws {
        volume = try ServedVolume(size: .mebibytes(64))
        for number in 0..<5 {
            try volume.image.tree.file("limited/\(number)" as TreePath, size: .kilobytes(40))
        }
        for name in ["old", "young"] {
            try volume.image.tree.file("dated/\(name)" as TreePath, size: .kilobytes(40))
        }
        try volume.image.tree.age("dated/old", by: .seconds(15 * 86_400))
        // Nothing but what a person has registered.
        try add("limited", "--limit", "120kB")
        try add("dated", "--retention", "14d", "--by", "modified")
    }

    private func add(_ name: String, _ rules: String...) throws {
        let path = volume.image.path.appending(name).string
        let result = try volume.home.run(["dir", "add", path] + rules)
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    @Test(.tags(.r19h)) func aSweepTrimsThem() throws {
        try volume.configure("observe", areas: false)
        #expect(try volume.sweep().output.contains("Nothing was deleted"))
        #expect(try volume.count("limited") == 5 && volume.count("dated") == 2)
        try volume.configure("act", areas: false)
        let result = try volume.sweep("--json")
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        // Half of the limit holds one of them.
        #expect(try volume.count("limited") == 1)
        #expect(try volume.count("dated") == 1 && volume.image.tree.exists("dated/young"))
        #expect(try volume.sweep().output.contains("nothing to purge"))
    }
}
#endif
