//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: what the service as a process does in a mode, and that there is one of it.
@Suite(.blocks, .enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
struct ServeModeTests {
    @Test func actsAndEndsWhenItIsTold() throws {
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

    @Test func observingDeletesNothingAndSaysWhatWouldGo() throws {
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
