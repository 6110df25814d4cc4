//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

private struct FixedQuota: QuotaReading {
    let answer: QuotaRoom
    func room(at directory: Int32) -> QuotaRoom { answer }
}

struct VolumeTests {
    @Test(.tags(.r5a)) func tellsTheVolumeOfADirectoryThatDoesNotExistYet() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("file", text: "x")
        let there = try Volume.containing(directory.path)
        for path in ["a/b/c", "file/below"] {
            let volume = try Volume.containing(directory.path.appending(FilePath(path).components))
            #expect(volume.mountPoint == there.mountPoint)
            #expect(volume.device == there.device)
        }
        let figures = try #require(there.figures)
        #expect(figures.total > figures.available)
        #expect(figures.available > .zero)
    }

    @Test(.tags(.r5d)) func neverShowsMoreThanAQuotaLeaves() throws {
        let directory = try TemporaryDirectory()
        let quota = FixedQuota(answer: QuotaRoom(bytes: .megabytes(1), inodes: 7))
        let volume = try Volume.containing(
            directory.path, timeLimit: .seconds(10), quotas: quota)
        #expect(volume.available == .megabytes(1))
        #expect(volume.availableInodes == 7)
        let wide = FixedQuota(answer: QuotaRoom(bytes: ByteCount(.max)))
        let other = try Volume.containing(directory.path, timeLimit: .seconds(10), quotas: wide)
        #expect(other.available == other.figures?.available)
    }

    @Test(arguments: [
        (UInt64(100), UInt64(50), UInt64(30), Int64(70)),
        (0, 50, 30, 20),
        (100, 0, 130, 0),
    ])
    func countsWhatAQuotaLeaves(hard: UInt64, soft: UInt64, used: UInt64, left: Int64) {
        let room = QuotaRoom(
            hardBytes: hard, softBytes: soft, usedBytes: used, hardInodes: hard, softInodes: soft,
            usedInodes: used)
        #expect(room.bytes == ByteCount(left))
        #expect(room.inodes == UInt64(left))
        #expect(
            QuotaRoom(
                hardBytes: 0, softBytes: 0, usedBytes: used, hardInodes: 0, softInodes: 0,
                usedInodes: used) == .unlimited)
    }

    #if os(Linux)
    @Test func marksKernelFileSystemsAsPseudo() throws {
        let volume = try Volume.containing("/proc/self")
        #expect(volume.isPseudo)
        #expect(volume.type == "proc")
    }

    @Test(.tags(.r5a), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func readsAMountedVolume() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(4), inodes: 100)
        let volume = try Volume.containing(image.path.appending("nothing/yet"))
        #expect(volume.mountPoint == image.path)
        #expect(volume.type == "tmpfs")
        #expect(volume.figures?.total == .mebibytes(4))
        #expect(volume.figures?.inodes == 100)
        #expect((volume.availableInodes ?? 0) < 100)
        #expect(!volume.isReadOnly)
        let all = try Volume.all()
        #expect(all.filter { $0.mountPoint == image.path }.count == 1)
        #expect(all.filter(\.isPseudo).isEmpty)
    }

    @Test(.enabled(if: Privilege.canMount(.ext4), "needs root and mkfs.ext4"))
    func seesNoatimeReadOnlyAndTheFileSystemsOwnID() throws {
        let image = try MountedImage(.ext4, options: ["noatime", "ro"])
        let volume = try Volume.containing(image.path)
        #expect(volume.isNoatime)
        #expect(volume.isReadOnly)
        #expect(volume.figures?.fileSystemID != 0)
    }

    @Test(.enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"))
    func knowsNoInodesWhereTheFileSystemMakesThem() throws {
        let image = try MountedImage(.btrfs)
        let volume = try Volume.containing(image.path)
        #expect(volume.type == "btrfs")
        #expect(volume.figures?.inodes == nil)
        #expect(volume.availableInodes == nil)
    }
    #endif
}

/// What hangs is played by a call that waits until the test lets it go.
struct HangingTests {
    private final class Gate: Sendable {
        private let ends: (Int32, Int32)
        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(unsafe pipe(&ends) == 0)
            self.ends = (ends[0], ends[1])
        }
        func pass() {
            var byte: UInt8 = 0
            _ = unsafe read(ends.0, &byte, 1)
        }
        func open() { _ = close(ends.1) }
        deinit { _ = close(ends.0) }
    }

    @Test func returnsTheValueOfACallThatEnds() throws {
        let call = try LimitedCall { 42 }
        #expect(call.wait(until: .now.advanced(by: .seconds(20))) == 42)
    }

    @Test func waitsNoLongerThanTheLimitAndAsksNoSecondTime() throws {
        let gate = try Gate()
        let hanging = Hanging<String>()
        let first = try #require(try hanging.start("volume") { gate.pass() })
        #expect(first.wait(until: .now.advanced(by: .milliseconds(20))) == nil)
        let second = try hanging.start("volume") { 1 }
        #expect(second == nil)
        let other = try #require(try hanging.start("another") { 1 })
        #expect(other.wait(until: .now.advanced(by: .seconds(20))) == 1)
        gate.open()
        #expect(first.wait(until: .now.advanced(by: .seconds(20))) != nil)
        let again = try #require(try hanging.start("volume") { 2 })
        #expect(again.wait(until: .now.advanced(by: .seconds(20))) == 2)
    }
}
