//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Headroom
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// R8: extents that files share, told on request.
struct ExclusiveSizeTests {
    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    @Test(
        .tags(.r8d), .enabled(if: Privilege.canMount(.xfs), "needs root and mkfs.xfs"))
    func r8AReflinkOnXFSHasNothingOfItsOwnUntilItIsWrittenTo() throws {
        try checkReflinks(on: MountedImage(.xfs))
    }

    @Test(
        .tags(.r8d), .enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"))
    func r8AReflinkOnBtrfsHasNothingOfItsOwnUntilItIsWrittenTo() throws {
        try checkReflinks(on: MountedImage(.btrfs))
    }

    private func checkReflinks(on image: MountedImage) throws {
        let tree = image.tree
        try tree.directory("d")
        try fill(tree.path("original"), byte: 1, kibibytes: 1024)
        try fill(tree.path("d/own"), byte: 2, kibibytes: 512)
        try copy(tree.path("original"), to: tree.path("d/clone"))

        let clone = try exclusiveSize(tree, "d/clone")
        #expect(clone.allocated == .mebibytes(1))
        #expect(clone.exclusive == .zero)
        #expect(clone.shared == .mebibytes(1))
        #expect(clone.unknown == .zero)

        let directory = try exclusiveSize(tree, "d")
        #expect(directory.shared == .mebibytes(1))
        #expect(directory.exclusive == directory.allocated - .mebibytes(1))
        #expect(directory.exclusive >= ByteCount(512 * 1024))
        #expect(directory.isComplete)
        // A size counts it all, as du does.
        let url = URL(filePath: tree.path("d").string)
        #expect(try fixture.storage.size(of: url).allocated == directory.allocated)

        // Half of it is written anew, and then it is its own.
        try fill(tree.path("d/clone"), byte: 3, kibibytes: 512)
        let written = try exclusiveSize(tree, "d/clone")
        #expect(written.exclusive == ByteCount(512 * 1024))
        #expect(written.shared == ByteCount(512 * 1024))

        // The last one that shares is gone.
        try tree.remove("original")
        try synchronize(tree)
        // XFS gives a removed file's extents back in the background.
        var alone = try exclusiveSize(tree, "d/clone")
        for _ in 0..<200 where alone.shared != .zero {
            Pause.milliseconds(50)
            alone = try exclusiveSize(tree, "d/clone")
        }
        #expect(alone.exclusive == alone.allocated)
        #expect(alone.shared == .zero)
    }

    @Test(.tags(.r8d), .enabled(if: Privilege.canMount(.xfs), "needs root and mkfs.xfs"))
    func r8MoreExtentsThanOneCallTellsAreAllCounted() throws {
        let image = try MountedImage(.xfs)
        let tree = image.tree
        // Every other block is a hole: 600 extents.
        let script = """
            import os
            f = os.open("scattered", os.O_CREAT | os.O_RDWR)
            for block in range(600):
                os.pwrite(f, bytes([1]) * 4096, block * 8192)
            os.fsync(f)
            """
        try run(Holder.python, ["-c", script], in: tree)
        try copy(tree.path("scattered"), to: tree.path("clone"))
        let before = try exclusiveSize(tree, "clone")
        // Beside them a block of the file's own says where they are.
        #expect(before.allocated >= ByteCount(2400 * 1024))
        #expect(before.shared == ByteCount(2400 * 1024))
        // One block at the end of it.
        try run(
            "dd",
            [
                "if=/dev/zero", "of=clone", "bs=8192", "count=1", "seek=598", "conv=notrunc,fsync",
                "status=none",
            ], in: tree)
        let after = try exclusiveSize(tree, "clone")
        #expect(after.shared == ByteCount(2396 * 1024))
    }

    @Test func r8OfAFileWithSeveralNamesItsBytesCountOnce() throws {
        let tree = fixture.tree
        try tree.file("home/d/a", size: ByteCount(100_000))
        try tree.hardLink("home/d/b", to: "home/d/a")
        try tree.sparseFile("home/d/s", size: .gibibytes(1))
        let url = URL(filePath: tree.path("home/d").string)
        let totals = try fixture.storage.exclusiveSize(of: url)
        #expect(totals.allocated == (try fixture.storage.size(of: url).allocated))
        // Memory shares nothing, and says nothing of it either: that is known of it.
        #expect(totals.exclusive == totals.allocated)
        #expect(totals.shared == .zero)
    }

    @Test(.tags(.r8d), .enabled(if: Privilege.canMount(.xfs), "needs root and mkfs.xfs"))
    func r8WhatMayNotBeReadIsUnknown() throws {
        let image = try MountedImage(.xfs)
        let tree = image.tree
        try fill(tree.path("d"), byte: 1, kibibytes: 64)
        // Another program has a lease on it, as a server of files does: opening would wait for it.
        let holder = try Holder.python(
            """
            signal.signal(signal.SIGIO, signal.SIG_IGN)
            f = os.open("\(tree.path("d").string)", os.O_RDWR)
            fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            """)
        defer { withExtendedLifetime(holder) {} }
        let totals = try exclusiveSize(tree, "d")
        #expect(totals.unknown == ByteCount(64 * 1024))
        #expect(totals.exclusive == .zero)
        #expect(totals.shared == .zero)
    }

    @Test func r8WhatIsNotThereHasNoExclusiveSize() {
        let error = #expect(throws: StorageError.self) {
            try fixture.storage.exclusiveSize(of: URL(filePath: "/no/such/thing"))
        }
        #expect(error?.code == .notFound)
    }

    // MARK: -

    private func exclusiveSize(_ tree: Tree, _ name: TreePath) throws -> ExclusiveTotals {
        try fixture.storage.exclusiveSize(of: URL(filePath: tree.path(name).string))
    }

    private func fill(_ path: FilePath, byte: Int, kibibytes: Int) throws {
        let script = """
            import os, sys
            f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
            os.write(f, bytes([\(byte)]) * \(kibibytes * 1024))
            os.fsync(f)
            """
        try #require(try ChildProcess.run(Holder.python, ["-c", script, path.string]).succeeded)
    }

    private func copy(_ path: FilePath, to copy: FilePath) throws {
        try #require(
            try ChildProcess.run("cp", ["--reflink=always", path.string, copy.string]).succeeded)
    }

    private func synchronize(_ tree: Tree) throws {
        try #require(try ChildProcess.run("sync", ["-f", tree.root.string]).succeeded)
    }

    private func run(_ program: String, _ arguments: [String], in tree: Tree) throws {
        let result = try ChildProcess.run(program, arguments, directory: tree.root)
        try #require(result.succeeded)
    }
}
#endif
