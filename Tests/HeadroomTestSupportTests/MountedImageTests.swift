//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct MountedImageTests {
    @Test(arguments: MountedImage.Format.allCases.filter(Privilege.canMount))
    func mountsAnImage(format: MountedImage.Format) throws {
        var image: MountedImage? = try MountedImage(format)
        let tree = try #require(image).tree
        try tree.file("a", size: .mebibytes(1))
        #expect(try tree.status(of: "").isMountRoot)
        #expect(try tree.status(of: "a").allocatedSize >= .mebibytes(1))
        image = nil
        #expect(!tree.exists("a"))
    }

    @Test(
        "Edits an image also while another mount namespace has it mounted",
        .enabled(
            if: Privilege.canMount(.ext4) && Privilege.has(program: "debugfs"),
            "needs root, mkfs.ext4 and debugfs"), arguments: [false, true])
    func editsAnImage(isMountedElsewhere: Bool) throws {
        let image = try MountedImage(.ext4)
        var holder: ChildProcess?
        for (index, name) in ["a", "b"].enumerated() {
            try image.tree.file(TreePath(name), text: name)
            if isMountedElsewhere {
                holder = try Holder.started(
                    ChildProcess("unshare", ["-m", "sh", "-c", "echo ready; exec sleep 1000"]))
            }
            try image.edit(["set_inode_field /\(name) crtime @\(1_000_000_000 + index)"])
        }
        for (index, name) in ["a", "b"].enumerated() {
            let status = try image.tree.status(of: TreePath(name))
            #expect(status.created?.seconds == Int64(1_000_000_000 + index))
            #expect(try image.tree.contents(of: TreePath(name)) == Array(name.utf8))
        }
        withExtendedLifetime(holder) {}
    }

    @Test(.enabled(if: Privilege.canMount, "mounting a tmpfs needs root"))
    func limitsTheInodesOfATmpfs() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1), inodes: 10)
        #expect(throws: FixtureError.self) { try image.tree.files(20, in: "") }
        #expect(try image.tree.names().count == 9)
    }

    @Test(.enabled(if: Privilege.canMount, "mounting a tmpfs needs root"))
    func limitsTheBytesOfATmpfs() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        #expect {
            try image.tree.file("a", size: .mebibytes(2))
        } throws: {
            ($0 as? FixtureError)?.errno == .noSpace
        }
    }

    @Test(.enabled(if: Privilege.canMountOverlay, "mounting an overlay needs root"))
    func showsTheLowerLayerOfAnOverlay() throws {
        let lower = try TemporaryDirectory(on: .memory)
        try lower.tree.file("d/a", text: "lower")
        let image = try MountedImage.overlay(lower: lower.path)
        #expect(try image.tree.contents(of: "d/a") == Array("lower".utf8))
        try image.tree.remove("d/a")
        #expect(!image.tree.exists("d/a"))
        #expect(lower.tree.exists("d/a"))
    }

    @Test(.enabled(if: Privilege.canMount, "a bind mount needs root"))
    func neverDeletesThroughABindMount() throws {
        let outside = try TemporaryDirectory(on: .memory)
        try outside.tree.file("precious", text: "x")
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("d/mount")
        let image = try MountedImage.bind(outside.path, at: directory.path.appending("d/mount"))
        #expect(image.tree.exists("precious"))
        #expect(throws: FixtureError.self) { try directory.tree.remove("d") }
        #expect(outside.tree.exists("precious"))
    }
}
#endif
