//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommands
import HeadroomEngine
import HeadroomPlatform
import Testing

struct ListingSummaryTests {
    private func directory(_ name: String, _ inside: [NcduEvent] = []) -> [NcduEvent] {
        [.beginDirectory(NcduEntry(name: Array(name.utf8), allocatedSize: ByteCount(10)))] + inside
            + [.endDirectory]
    }

    private func file(_ name: String, _ size: Int64, inode: UInt64? = nil) -> NcduEvent {
        .file(
            NcduEntry(
                name: Array(name.utf8), logicalSize: ByteCount(size),
                allocatedSize: ByteCount(size), inode: inode, isHardLink: inode != nil,
                extended: .init(modified: Timestamp(seconds: 1_000_000))))
    }

    private func summary(
        _ events: [NcduEvent], _ grouping: ListingSummary.Grouping = .directory, top: Int = 20,
        depth: Int = 1
    ) -> ListingSummary {
        var builder = ListingSummary.Builder(
            .init(
                grouping: grouping, top: top, depth: depth,
                now: Timestamp(seconds: 1_000_000 + 40 * 86_400)))
        for event in events { builder.add(event) }
        return builder.finish()
    }

    private func paths(_ summary: ListingSummary) -> [String] {
        summary.nodes.map { String(decoding: $0.path, as: UTF8.self) }
    }

    private var tree: [NcduEvent] {
        directory(
            "/r",
            [file("x.mp4", 5)]
                + directory("a", [file("1.zip", 100)] + directory("deep", [file("2.zip", 300)]))
                + directory("b", [file("3.pdf", 50, inode: 7)])
                + directory("c", [file("4.pdf", 50, inode: 7), file("5", 1)]))
    }

    @Test func countsHardLinksOnce() {
        let totals = summary(tree).totals
        #expect(totals.allocated == ByteCount(5 + 100 + 300 + 50 + 1 + 5 * 10))
        #expect(totals.files == 6)
        #expect(totals.directories == 5)
    }

    @Test func linksOfOtherDevicesAreOtherFiles() {
        let events =
            directory("/r", [file("a", 50, inode: 7)])
            .dropLast()
            + [
                .beginDirectory(NcduEntry(name: [0x62], device: 2)), file("b", 50, inode: 7),
                .endDirectory, .endDirectory,
            ]
        #expect(summary(Array(events)).totals.allocated == ByteCount(110))
    }

    @Test func listsDirectoriesLargestFirst() {
        #expect(paths(summary(tree)) == ["/r/a", "/r/b", "/r/c"])
        #expect(paths(summary(tree, top: 1)) == ["/r/a"])
    }

    @Test func listsATreeDownToADepth() {
        #expect(paths(summary(tree, depth: 2)) == ["/r/a", "/r/a/deep", "/r/b", "/r/c"])
        #expect(paths(summary(tree, top: 2, depth: 2)) == ["/r/a", "/r/a/deep"])
    }

    @Test func listsFilesLargestFirst() {
        #expect(paths(summary(tree, .file, top: 2)) == ["/r/a/deep/2.zip", "/r/a/1.zip"])
    }

    @Test func sumsUpByKindAndAge() {
        let kinds = summary(tree, .kind).groups
        #expect(kinds.first { $0.name == "archive" }?.totals.allocated == ByteCount(400))
        #expect(kinds.first { $0.name == "pdf" }?.totals.files == 2)
        let ages = summary(tree, .age).groups
        #expect(ages.first { $0.name == "1 to 3 months" }?.totals.allocated == ByteCount(456))
    }

    @Test func rootOfTheFileSystemHasOneSlash() {
        #expect(paths(summary(directory("/", directory("usr")))) == ["/usr"])
    }

    @Test func depthCostsNoStack() {
        let depth = 50_000
        let begin = NcduEvent.beginDirectory(
            NcduEntry(name: [0x64], allocatedSize: ByteCount(1)))
        var builder = ListingSummary.Builder(.init(depth: depth, now: Timestamp(seconds: 0)))
        builder.add(.beginDirectory(NcduEntry(name: Array("/r".utf8))))
        for _ in 0..<depth { builder.add(begin) }
        for _ in 0...depth { builder.add(NcduEvent.endDirectory) }
        #expect(builder.finish().totals.allocated == ByteCount(Int64(depth)))
    }
}
