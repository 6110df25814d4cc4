//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Trash directories that cannot be changed, or not be used.
@Suite(
    "R33, R46: Trash of volumes that cannot be written", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct ReadOnlyTrashTests {
    private let home = FieldSandbox.home

    private func sandbox() throws -> FieldSandbox {
        let sandbox = try FieldSandbox(volumes: ["a", "b"])
        sandbox.file("/mnt/a/report.odt")
        sandbox.file("/mnt/a/more.odt")
        sandbox.file("/mnt/b/draft.odt")
        try sandbox.settle()
        return sandbox
    }

    @Test(
        "Lists the Trash of a read-only volume, and says why it restores and deletes nothing there",
        .tags(.r45e, .r46d))
    func readOnlyTrash() throws {
        let sandbox = try sandbox()
        let put = try sandbox.headroom("trash", "/mnt/a/report.odt", "/mnt/b/draft.odt")
        #expect(put.exitCode == 0, "\(put)")
        try sandbox.shell("mount -o remount,ro /mnt/a", as: .root)

        let list = try sandbox.headroom("trash", "list", "--json")
        #expect(list.exitCode == 0, "\(list)")
        #expect(
            Set(list.values("originalPath"))
                == ["\"/mnt/a/report.odt\"", "\"/mnt/b/draft.odt\""])
        // The item, and its trash directory.
        #expect(list.values("readOnly").count { $0 == "true" } == 2)
        let text = try sandbox.headroom("trash", "list")
        #expect(text.output.contains("/mnt/a/report.odt  (read-only volume)"), "\(text.output)")

        let restore = try sandbox.headroom("trash", "restore", "/mnt/a/report.odt")
        #expect(restore.exitCode == 1)
        let words = "The volume /mnt/a is mounted read-only. Remount it read-write first"
        #expect((restore.output + restore.errors).contains(words), "\(restore)")
        let json = try sandbox.headroom("trash", "restore", "/mnt/a/report.odt", "--json")
        #expect(json.json("code") == "\"readOnly\"", "\(json)")

        let refused = try sandbox.headroom("trash", "/mnt/a/more.odt", "--json")
        #expect(refused.exitCode == 1)
        #expect(refused.json("code") == "\"read-only\"", "\(refused)")

        let empty = try sandbox.headroom("trash", "empty", "--yes")
        #expect(empty.exitCode == 4, "\(empty)")
        #expect(empty.errors.contains("Could not delete 1 item in /mnt/a/.Trash-4100."), "\(empty)")
        try sandbox.expectKept("/mnt/a/.Trash-4100/files/report.odt", "/mnt/a/more.odt")
        try sandbox.expectPurged(
            "/mnt/b/.Trash-4100/files/draft.odt", "/mnt/b/.Trash-4100/info/draft.odt.trashinfo")
        let again = try sandbox.headroom("trash", "empty", "--yes", "--json")
        #expect(again.exitCode == 4)
        #expect(again.values("code") == ["\"read-only\""], "\(again)")

        try sandbox.shell("mount -o remount,rw /mnt/a", as: .root)
        #expect(try sandbox.headroom("trash", "restore", "/mnt/a/report.odt").exitCode == 0)
        try sandbox.expectKept("/mnt/a/report.odt")
        try sandbox.headroom("purge", "--all", "--yes")
        try sandbox.expectControlsPurged()
    }

    @Test("A purge of everything keeps the Trash of a read-only volume without a complaint")
    func purgeIgnoresReadOnlyTrash() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.headroom("trash", "/mnt/a/report.odt").exitCode == 0)
        try sandbox.shell("mount -o remount,ro /mnt/a", as: .root)
        let purge = try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        #expect(!purge.output.contains("/mnt/a") && !purge.errors.contains("/mnt/a"), "\(purge)")
        try sandbox.expectKept("/mnt/a/.Trash-4100/files/report.odt")
        try sandbox.expectControlsPurged()
    }

    @Test("Uses the writable one of two mounts of a volume")
    func prefersWritableMount() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.headroom("trash", "/mnt/a/report.odt").exitCode == 0)
        // Mounted later, and listed first by its path.
        try sandbox.shell(
            "mkdir /mnt/0; mount --bind /mnt/a /mnt/0; mount -o remount,bind,ro /mnt/0", as: .root)
        let restore = try sandbox.headroom("trash", "restore", "/mnt/a/report.odt")
        #expect(restore.exitCode == 0, "\(restore)")
        try sandbox.expectKept("/mnt/a/report.odt")
    }

    @Test(
        "Says why it does not use a trash directory: unreadable, of another user, not sticky, or a link",
        .tags(.r46e)
    )
    func explainsUnusableTrash() throws {
        let sandbox = try FieldSandbox(volumes: ["closed", "foreign", "shared", "link"])
        sandbox.prepare(
            """
            for volume in closed foreign shared link; do mkdir -p /mnt/$volume/target; done
            mkdir -p /mnt/closed/.Trash-4100/{files,info} /mnt/foreign/.Trash-4100/{files,info}
            mkdir -p /mnt/shared/.Trash/4100/{files,info}
            ln -s target /mnt/link/.Trash-4100
            chown -R 4100 /mnt/closed/.Trash-4100 /mnt/shared/.Trash/4100
            chown -R 4101 /mnt/foreign/.Trash-4100
            chmod 000 /mnt/closed/.Trash-4100
            chmod 755 /mnt/shared/.Trash
            """)
        try sandbox.settle()
        let list = try sandbox.headroom("trash", "list")
        #expect(list.exitCode == 4, "\(list)")
        for words in [
            "Could not open the Trash /mnt/closed/.Trash-4100: Permission denied.",
            "/mnt/foreign/.Trash-4100 is not used as a Trash: it belongs to user 4101",
            "/mnt/shared/.Trash lacks the sticky bit",
            "/mnt/link/.Trash-4100 is not used as a Trash: it, or the directory around it, is a link",
        ] {
            #expect(list.output.contains(words), "\(words): \(list.output)")
        }
        let json = try sandbox.headroom("trash", "list", "--json")
        #expect(
            json.values("code").sorted() == [
                "\"foreign-owner\"", "\"unreadable\"", "\"unusable-trash\"", "\"unusable-trash\"",
            ], "\(json)")
        let empty = try sandbox.headroom("trash", "empty", "--yes")
        #expect(empty.exitCode == 4)
        #expect(empty.errors.contains("/mnt/closed/.Trash-4100"), "\(empty)")
    }

    @Test(
        "Says why a file cannot be moved to the Trash: nothing can be created on its volume",
        .tags(.r46e))
    func explainsMissingTrash() throws {
        let sandbox = try FieldSandbox(volumes: ["a"])
        sandbox.file("/mnt/a/mine/letter.odt")
        sandbox.prepare("chown 0 /mnt/a; chmod 755 /mnt/a; mkdir -p /mnt/a/fixed")
        sandbox.file("/mnt/a/fixed/f")
        sandbox.prepare("chown 0 /mnt/a/fixed")
        try sandbox.settle()
        let put = try sandbox.headroom("trash", "/mnt/a/mine/letter.odt", "--json")
        #expect(put.exitCode == 1)
        #expect(put.json("code") == "\"not-permitted\"", "\(put)")
        #expect(put.output.contains("its volume has no Trash that you can use"), "\(put.output)")
        try sandbox.shell(
            "mkdir -m 700 /mnt/a/.Trash-4100; chown 4100 /mnt/a/.Trash-4100", as: .root)
        #expect(try sandbox.headroom("trash", "/mnt/a/mine/letter.odt").exitCode == 0)
        let fixed = try sandbox.headroom("trash", "/mnt/a/fixed/f", "--json")
        #expect(fixed.exitCode == 1)
        #expect(fixed.output.contains("you can't change the directory that it is in"), "\(fixed)")
        try sandbox.expectKept("/mnt/a/fixed/f")
    }
}
#endif
