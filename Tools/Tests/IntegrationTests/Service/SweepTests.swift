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

/// R27, R29: one pass over all volumes, as a timer starts it.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct SweepTests {
    @Test(.tags(.r27a)) func sweepsOnceForTimers() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try volume.fill(leaving: .mebibytes(5))
        let result = try volume.sweep("--json")
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.values("purpose").sorted() == ["\"due\"", "\"due\"", "\"warning\""])
        #expect(try volume.count("cache") == 22)
        let text = try volume.sweep()
        #expect(text.output.contains("nothing to purge"))
    }

    @Test func sweepSaysWhatCannotBeHelped() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        try volume.image.tree.file("temporary/one", size: .mebibytes(1))
        try volume.image.tree.file("cache/one", size: .mebibytes(1))
        try volume.fill(leaving: .zero)
        let result = try volume.sweep()
        #expect(result.exitCode == 3)
        #expect(result.output.contains("Free space by hand"))
        #expect(try volume.count("temporary") == 0)
        #expect(try volume.count("cache") == 1)
    }

    @Test(.tags(.r29c)) func newDeclarationsHaveTheirGrace() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act", grace: "24 h")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try volume.fill(leaving: .mebibytes(1))
        let result = try volume.sweep()
        #expect(result.exitCode == 3)
        #expect(result.output.contains("its declaration is new"))
        #expect(try volume.count("cache") == 30)
        try volume.configure("act", grace: "0")
        #expect(try volume.sweep().exitCode == 0)
        #expect(try volume.count("cache") < 30)
    }
}
#endif
