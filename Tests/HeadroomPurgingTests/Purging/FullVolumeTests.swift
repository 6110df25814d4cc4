//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A volume without a free byte, or a free inode, is purged like any other (safety invariant S14).
@Suite(.enabled(if: Privilege.canMount, "needs root to mount"), .serialized)
struct FullVolumeTests {
    private func purge(_ root: FilePath, unit: PurgeUnit) throws -> (Plan, Receipt) {
        let area = Area(root: root, purgeClass: .temporary, unit: unit, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: root)], areas: [area], options: ScanOptions(now: PurgeFixture.now))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: PurgeFixture.now))
        let options = PurgeOptions(requester: "test", areas: [area]) { PurgeFixture.now }
        return (plan, try Purger.purge(plan, options: options))
    }

    private func checkPurge(_ image: MountedImage, unit: PurgeUnit) throws {
        let root = image.path.appending("area")
        let (plan, first) = try purge(root, unit: unit)
        var receipt = first
        // On btrfs a lock of another test on a file with the same inode number keeps ours too
        // (record 0007): it goes with a later purge.
        for _ in 0..<200 where receipt.skipped.contains(where: { $0.reason.code == .leased }) {
            usleep(100_000)
            let freed = receipt.expected
            receipt = try purge(root, unit: unit).1
            receipt.expected += freed
        }
        #expect(receipt.outcome == .completed)
        #expect(receipt.skipped == [], "\(receipt.skipped.prefix(3))")
        // Blocks that are allocated late, and directories that shrink, may differ a little.
        #expect(receipt.expected.bytes >= plan.frees.bytes / 2)
        #expect(try image.tree.names(in: "area") == [])
        // A filling that lies outside stays.
        #expect(image.tree.exists("filler"))
    }

    /// Writes until nothing fits any more.
    private func fillBytes(_ image: MountedImage) throws {
        let script = """
            head -c 2000000000 /dev/zero > \(image.path)/filler
            i=0; while echo x > \(image.path)/tiny$i; do i=$((i+1)); [ $i -gt 3000 ] && break; done
            true
            """
        _ = try ChildProcess.run("sh", ["-c", script + " 2>/dev/null"])
        let full = try ChildProcess.run(
            "sh", ["-c", "head -c 100000 /dev/zero > \(image.path)/more"])
        #expect(!full.succeeded, "the volume is not full")
    }

    private func fillInodes(_ image: MountedImage) throws {
        let script = """
            : > \(image.path)/filler
            i=0; while mkdir \(image.path)/n$i; do i=$((i+1)); done 2>/dev/null; true
            """
        _ = try ChildProcess.run("sh", ["-c", script])
        let full = try ChildProcess.run("mkdir", ["\(image.path)/more"])
        #expect(!full.succeeded, "inodes are left")
    }

    private func prepare(_ tree: Tree) throws {
        for index in 0..<20 {
            try tree.files(20, in: "area/unit\(index)/sub", size: ByteCount(3_000))
        }
        try tree.file("area/large", size: .mebibytes(1))
    }

    enum Kind: String, CaseIterable { case tmpfs, ext4, btrfs }

    private func image(_ kind: Kind) throws -> MountedImage? {
        switch kind {
        case .tmpfs: try MountedImage.tmpfs(size: .mebibytes(16))
        case .ext4: Privilege.canMount(.ext4) ? try MountedImage(.ext4) : nil
        case .btrfs: Privilege.canMount(.btrfs) ? try MountedImage(.btrfs) : nil
        }
    }

    @Test(.tags(.s14a), arguments: Kind.allCases, [PurgeUnit.file, .entry])
    func allBytesUsedUp(kind: Kind, unit: PurgeUnit) throws {
        guard let image = try image(kind) else { return }
        try prepare(image.tree)
        try fillBytes(image)
        try checkPurge(image, unit: unit)
    }

    @Test(.tags(.s14a), arguments: [PurgeUnit.file, .entry])
    func allInodesOfATmpfsUsedUp(unit: PurgeUnit) throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16), inodes: 1_000)
        try prepare(image.tree)
        try fillInodes(image)
        try checkPurge(image, unit: unit)
    }

    @Test(
        .tags(.s14a), .enabled(if: Privilege.canMount(.ext4), "needs root and mkfs.ext4"),
        arguments: [PurgeUnit.file, .entry])
    func allInodesOfExt4UsedUp(unit: PurgeUnit) throws {
        let image = try MountedImage(.ext4, formatting: ["-N", "1000"])
        try prepare(image.tree)
        try fillInodes(image)
        try checkPurge(image, unit: unit)
    }

    @Test(arguments: MountedImage.Format.allCases)
    func unitsAndFilesGoOnEachFileSystem(format: MountedImage.Format) throws {
        guard Privilege.canMount(format) else { return }
        let image = try MountedImage(format)
        for unit in [PurgeUnit.file, .entry] {
            try prepare(image.tree)
            try image.tree.file("filler", text: "x")
            try checkPurge(image, unit: unit)
        }
    }

    @Test(.tags(.s3a), .enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"))
    func aSubvolumeIsNotEntered() throws {
        let image = try MountedImage(.btrfs)
        try image.tree.file("area/d/a", text: "x")
        let made = try ChildProcess.run(
            "btrfs", ["subvolume", "create", "\(image.path)/area/d/volume"])
        guard made.succeeded else { return }
        try image.tree.file("area/d/volume/precious", text: "x")
        for unit in [PurgeUnit.entry, .file] {
            _ = try purge(image.path.appending("area"), unit: unit)
            #expect(image.tree.exists("area/d/volume/precious"))
        }
    }
}
#endif
