//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(.enabled(if: DiskUsage.isAvailable, "needs GNU du to compare with"))
struct WalkMountTests {
    @Test(
        .tags(.r8a), arguments: MountedImage.Format.allCases.filter(Privilege.canMount),
        CallRoute.allCases)
    func equalsDu(on format: MountedImage.Format, route: CallRoute) throws {
        let image = try MountedImage(format)
        try WalkFixture.makeOddTree(image.tree, links: 200)
        try image.tree.file("big", size: .mebibytes(2))
        // What a file occupies may change until it has been written back.
        _ = try ChildProcess.run("sync", ["-f", image.path.string])
        let expected = try DiskUsage.allocated(image.path)
        let result = try WalkFixture.walk(image.path, route.calls)
        #expect(result.totals.allocated == expected.bytes)
        #expect(result.totals.errors == 0)
    }

    @Test(.enabled(if: Privilege.canMount, "mounting a tmpfs needs root"))
    func equalsDuOnATmpfs() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(64))
        try WalkFixture.makeOddTree(image.tree, links: 1_000)
        let expected = try DiskUsage.allocated(image.path)
        for route in CallRoute.allCases {
            let result = try WalkFixture.walk(image.path, route.calls)
            #expect(result.totals.allocated == expected.bytes, "\(route)")
        }
    }

    @Test(.enabled(if: Privilege.canMount(.btrfs), "mounting a btrfs needs root"))
    func leavesASubvolumeAloneAsDuDoes() throws {
        let image = try MountedImage(.btrfs)
        let path = image.path.appending("volume").string
        let made = try ChildProcess.run("btrfs", ["subvolume", "create", path])
        try #require(made.succeeded, "\(made.errors)")
        try image.tree.file("volume/below", size: .mebibytes(1))
        try image.tree.file("beside", size: ByteCount(100_000))
        _ = try ChildProcess.run("sync", ["-f", image.path.string])
        let inside = try DiskUsage.allocated(image.path)
        let whole = try DiskUsage.allocated(image.path, crossingMounts: true)
        #expect(whole > inside)
        for route in CallRoute.allCases {
            let result = try WalkFixture.walk(image.path, route.calls)
            #expect(result.totals.allocated == inside.bytes, "\(route)")
            #expect(result.totals.omitted == 1)
            let crossing = try WalkFixture.walk(image.path, route.calls) {
                $0.crossesMounts = true
            }
            #expect(crossing.totals.allocated == whole.bytes, "\(route)")
        }
    }

    @Test(.tags(.r14b), .enabled(if: Privilege.canMount, "mounting a tmpfs needs root"))
    func crossesAMountOnlyWhenToldTo() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("a/beside", size: ByteCount(5_000))
        try directory.tree.directory("a/mount")
        let other = try MountedImage.tmpfs(size: .mebibytes(8))
        try other.tree.file("inside", size: ByteCount(1_000_000))
        let bind = try MountedImage.bind(other.path, at: directory.path.appending("a/mount"))
        let inside = try DiskUsage.allocated(directory.path)
        let whole = try DiskUsage.allocated(directory.path, crossingMounts: true)
        for route in CallRoute.allCases {
            let result = try WalkFixture.walk(directory.path, route.calls)
            #expect(result.totals.allocated == inside.bytes, "\(route)")
            #expect(result.totals.omitted == 1)
            let crossing = try WalkFixture.walk(directory.path, route.calls) {
                $0.crossesMounts = true
            }
            #expect(crossing.totals.allocated == whole.bytes, "\(route)")
        }
        withExtendedLifetime(bind) {}
    }

    @Test(
        .enabled(if: Privilege.canMount, "a bind mount needs root"),
        arguments: [CallRoute.linux, .linuxWithoutOpenat2])
    func leavesAFileOfAnotherDeviceAlone(route: CallRoute) throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("a/file", size: ByteCount(5_000))
        let before = try WalkFixture.walk(directory.path, route.calls).totals
        let other = try MountedImage.tmpfs(size: .mebibytes(8))
        try other.tree.file("large", size: ByteCount(1_000_000))
        let bind = try MountedImage.bind(
            other.path.appending("large"), at: directory.path.appending("a/file"))
        let after = try WalkFixture.walk(directory.path, route.calls).totals
        #expect(after.files == before.files - 1)
        #expect(after.allocated < before.allocated)
        withExtendedLifetime(bind) {}
    }

    @Test(
        .enabled(if: Privilege.canMount, "a bind mount needs root"),
        arguments: [CallRoute.linux, .linuxWithoutOpenat2])
    func leavesABindMountOfTheSameDeviceAlone(route: CallRoute) throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("a/file", size: ByteCount(50_000))
        try directory.tree.directory("b/again")
        let before = try WalkFixture.walk(directory.path, route.calls).totals
        let bind = try MountedImage.bind(
            directory.path.appending("a"), at: directory.path.appending("b/again"))
        let after = try WalkFixture.walk(directory.path, route.calls).totals
        #expect(after.omitted == 1)
        #expect(after.files == before.files)
        #expect(after.directories == before.directories - 1)
        withExtendedLifetime(bind) {}
    }

    @Test(.enabled(if: Privilege.canMountOverlay, "mounting an overlay needs root"))
    func equalsDuOnAnOverlay() throws {
        let lower = try TemporaryDirectory(on: .memory)
        try WalkFixture.makeOddTree(lower.tree, links: 100)
        let image = try MountedImage.overlay(lower: lower.path)
        try image.tree.file("upper/new", size: ByteCount(30_000))
        let expected = try DiskUsage.allocated(image.path)
        let result = try WalkFixture.walk(image.path, LinuxCalls())
        #expect(result.totals.allocated == expected.bytes)
    }
}
#endif
