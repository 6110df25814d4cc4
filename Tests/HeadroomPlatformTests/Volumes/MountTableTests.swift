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

struct MountTableTests {
    private func parse(_ text: String) -> [Mount] {
        MountTable(parsing: Array(text.utf8)).mounts
    }

    @Test func readsEachField() throws {
        let mount = try #require(
            parse("36 35 98:5 /sub /mnt rw,noatime master:1 shared:2 - ext3 /dev/root ro,x=y\n")
                .first)
        #expect(mount.id == 36)
        #expect(mount.device == 98 << 32 | 5)
        #expect(mount.root == "/sub")
        #expect(mount.point == "/mnt")
        #expect(mount.type == "ext3")
        #expect(mount.source == "/dev/root")
        #expect(mount.isReadOnly)
        #expect(mount.isNoatime)
    }

    @Test func decodesOctalEscapesAndKeepsOtherBytes() throws {
        let line =
            Array("1 0 8:1 / /a\\040b\\012c\\134d\\".utf8) + [0xFF]
            + Array("\\9\\400\\377\\04 rw,relatime - ext4 /dev/x\\040y rw\n".utf8)
        let mount = try #require(MountTable(parsing: line).mounts.first)
        // 256 is no byte.
        var point = Array("/a b\nc\\d\\".utf8) + [0xFF]
        point += Array("\\9\\400".utf8) + [0xFF]
        point += "\\04".utf8
        #expect(mount.point.bytes == point)
        #expect(mount.source == "/dev/x y")
        #expect(!mount.isNoatime)
    }

    @Test(arguments: [
        "", "\n\n", "36 35 98:0 /", "x 35 98:0 / / rw - ext4 a rw", "36 35 98 / / rw - ext4 a rw",
        "36 35 a:b / / rw - ext4 a rw", "36 35 98:0 / / rw shared:1 ext4 a rw",
        "36 35 98:0 / / rw - ext4",
    ])
    func leavesOutLinesThatAreNone(_ text: String) {
        #expect(parse(text).isEmpty)
    }

    @Test func findsTheInnermostMountByName() {
        let table = MountTable(
            parsing: Array(
                """
                1 0 8:1 / / rw - ext4 a rw
                2 1 8:2 / /mnt rw - ext4 b rw
                3 1 8:3 / /mnt rw - ext4 c rw
                4 3 8:4 / /mnt/in rw - ext4 d rw
                """.utf8))
        #expect(table.mount(at: "/usr")?.id == 1)
        #expect(table.mount(at: "/mntx")?.id == 1)
        #expect(table.mount(at: "/mnt/x")?.id == 3)
        #expect(table.mount(at: "/mnt/in/x")?.id == 4)
    }

    @Test func locatesABindMountInItsFileSystem() throws {
        let table = MountTable(
            parsing: Array(
                """
                1 0 8:1 / / rw - ext4 a rw
                2 1 8:1 /home/u /mnt rw - ext4 a rw
                """.utf8))
        let home = try #require(table.location(of: "/home/u", mountID: 1))
        let alias = try #require(table.location(of: "/mnt/x", mountID: 2))
        #expect(home.contains(alias))
        #expect(!alias.contains(home))
        #expect(table.location(of: "/usr", mountID: 2) == nil)
    }

    @Test func knowsTheMountOfARealDirectory() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let status = try directory.tree.status(of: TreePath())
        let mount = try #require(try MountTable.current().mount(id: status.mountID))
        #expect(directory.path.starts(with: mount.point))
    }
}
#endif
