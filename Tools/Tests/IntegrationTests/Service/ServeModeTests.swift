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

/// R29: what the service as a process does in a mode, and that there is one of it.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeModeTests {
    @Test(.tags(.r29a)) func actsAndEndsWhenItIsTold() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try volume.fill(leaving: .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output)")
        #expect(try volume.figures.available >= ByteCount(volume.size.bytes / 5))
        #expect(try volume.count("cache") < 30)
        #expect(try volume.count("essential") == 1)
    }

    @Test(.tags(.r29a)) func observingDeletesNothingAndSaysWhatWouldGo() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("observe")
        for number in 0..<30 {
            try volume.image.tree.file("cache/file-\(number)" as TreePath, size: .mebibytes(1))
            try volume.image.tree.age(
                "cache/file-\(number)" as TreePath, by: .seconds(3_600 * Int64(30 - number)))
        }
        try volume.fill(leaving: .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "would free")
        child.send(15)
        let result = try child.wait()
        let named = (0..<30).filter {
            result.output.contains("path=\(volume.image.path)/cache/file-\($0) ")
        }
        // 12.8 MiB are to be available: eight of the oldest would go.
        #expect(named == Array(0..<8), "\(result.output)")
        #expect(try volume.count("cache") == 30)
        #expect(try volume.home.run("log", "--json").output.contains("\"outcome\"") == false)
    }

    @Test("GNU sort keeps its temporary files while the daemon purges at a critical level")
    func sortKeepsItsFiles() throws {
        // With a moved clock, the files would count as idle.
        let volume = try ServedVolume(size: .mebibytes(64), clockOffset: 0)
        try volume.configure("act")
        let input = volume.home.directory.path.appending("input")
        let made = try ChildProcess.run(
            "bash", ["-c", "seq 300000 | rev > '\(input.string)'"])
        try #require(made.succeeded, "\(made)")
        // Less than sort needs beside the critical threshold.
        try volume.fill(leaving: .mebibytes(6))
        let child = try volume.serve()
        let script = """
            for n in 1 2 3 4 5 6 7 8; do
                LC_ALL=C sort -S 300k --parallel=1 -T "$1" -o "$2.sorted" "$2" || exit 1
                [ "$(wc -l <"$2.sorted")" = 300000 ] && LC_ALL=C sort -c "$2.sorted" || exit 2
            done
            """
        let sorted = try ChildProcess.run(
            "bash",
            ["-c", script, "sort", volume.image.path.appending("temporary").string, input.string])
        child.send(15)
        let result = try child.wait()
        #expect(sorted.exitCode == 0, "\(sorted) \(result.output)")
        #expect(result.output.contains("a volume is short of space"), "\(result.output)")
    }

    @Test func oneRunsForAUser() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        let second = try volume.home.run(["serve", "--directory", volume.directory])
        #expect(second.exitCode == 1)
        #expect(second.errors.contains("headroom serve, process \(child.processID)"))
        let sweep = try volume.sweep()
        #expect(sweep.exitCode == 1)
        child.send(9)
        #expect(try child.wait().signal == 9)
        // The lock of one that was killed is free.
        #expect(try volume.sweep().exitCode == 0)
    }
}
#endif
