//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct InventoryViewTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
    }

    private func path(_ name: String) -> FilePath { directory.path.pushing(FilePath(name)) }

    @Test func leadsFromPathsToDirectoriesAndItemsAndBack() throws {
        try tree.file("a/b/c", size: ByteCount(5_000))
        let inventory = try InventoryFixture.scan(directory.path)
        let root = try #require(InventoryFixture.root(of: inventory))
        #expect(root.isRoot && root.parent == nil)
        #expect(root.name == directory.path.names.last)
        let item = try #require(inventory.item(at: path("a/b/c")))
        #expect(item.path == path("a/b/c"))
        #expect(item.name.text == "c")
        #expect(item.type == .regular)
        #expect(item.logical == ByteCount(5_000))
        #expect(item.identity == (try tree.status(of: "a/b/c").identity))
        #expect(item.directory.parent?.parent == root)
        #expect(inventory.item(at: path("a/b")) == nil)
        #expect(inventory.directory(at: path("a/b/c")) == nil)
        #expect(inventory.directory(at: path("a/x")) == nil)
        #expect(inventory.directory(at: "/") == nil)
    }

    @Test func findsTheLargestItems() throws {
        for index in 0..<300 {
            try tree.file(
                "d\(index % 7)/f\(index)", size: ByteCount(Int64(index * 37 % 300) * 4_096))
        }
        try tree.hardLink("z/again", to: "d1/f8")
        let inventory = try InventoryFixture.scan(directory.path)
        let all = InventoryFixture.entries(inventory).items.filter { !$0.isCountedElsewhere }
        let sorted = all.map(\.allocated).sorted(by: >)
        for count in [0, 1, 10, 299, 1_000] {
            let largest = inventory.largestItems(count)
            #expect(largest.map(\.allocated) == Array(sorted.prefix(count)), "\(count)")
        }
        let some = inventory.largestItems(5) { $0.name.text.hasSuffix("7") }
        #expect(some.count == 5 && some.allSatisfy { $0.name.text.hasSuffix("7") })
    }

    @Test func findsTheLargestDirectories() throws {
        try tree.file("a/b/big", size: ByteCount(900_000))
        try tree.file("c/medium", size: ByteCount(500_000))
        try tree.file("a/small", size: ByteCount(10_000))
        let inventory = try InventoryFixture.scan(directory.path)
        #expect(
            inventory.largestDirectories(4).map(\.path)
                == [directory.path, path("a"), path("a/b"), path("c")])
        #expect(
            inventory.largestDirectories(2, by: .content).map(\.path) == [path("a/b"), path("c")])
    }

    @Test func makesATreeOfTheLargest() throws {
        try tree.file("a/b/big", size: ByteCount(900_000))
        try tree.file("a/x/less", size: ByteCount(300_000))
        try tree.file("c/medium", size: ByteCount(500_000))
        try tree.file("d/small", size: ByteCount(10_000))
        let inventory = try InventoryFixture.scan(directory.path)
        let root = try #require(InventoryFixture.root(of: inventory))
        let shown = root.tree(depth: 2, width: 2, includesItems: true)
        #expect(shown.children.map(\.directory.path) == [path("a"), path("c")])
        #expect(shown.children[0].children.map(\.directory.path) == [path("a/b"), path("a/x")])
        #expect(shown.children[0].children[0].items.isEmpty)
        #expect(shown.children[1].items.map(\.name.text) == ["medium"])
        let listed = shown.children.reduce(0) { $0 + $1.directory.totals.allocated }
        #expect(shown.otherBytes.bytes == root.totals.allocated - listed)
        #expect(root.tree(depth: 0).children.isEmpty)
        #expect(root.tree(depth: 5, minimum: ByteCount(400_000)).children.count == 2)
    }

    @Test func survivesATreeThatIsDeeperThanAnyTreeShown() throws {
        let bottom = try tree.chain("deep", depth: 3_000)
        try tree.file(bottom / "leaf", size: ByteCount(5_000))
        let inventory = try InventoryFixture.scan(directory.path)
        let leaf = try #require(inventory.largestItems(1).first)
        #expect(leaf.path.names.count == directory.path.names.count + 3_002)
        let root = try #require(InventoryFixture.root(of: inventory))
        var shown = root.tree(depth: .max)
        var depth = 0
        while let child = shown.children.first {
            shown = child
            depth += 1
        }
        #expect(depth == InventoryTree.deepest)
    }

    @Test func sumsByKind() throws {
        try tree.file("a.MP4", size: ByteCount(8_192))
        try tree.file("b.tar.gz", size: ByteCount(4_096))
        try tree.file("c.mkv", size: ByteCount(4_096))
        try tree.file(".gz", size: ByteCount(4_096))
        try tree.file("none", size: ByteCount(4_096))
        try tree.hardLink("again.mp4", to: "a.MP4")
        let sums = try InventoryFixture.scan(directory.path).sumsByKind()
        #expect(Set(sums.keys) == [.video, .archive, .other])
        #expect(sums[.video]?.items == 3)
        #expect(sums[.video]?.allocated == ByteCount(8_192 + 4_096))
        #expect(sums[.archive]?.items == 1)
        #expect(sums[.other]?.items == 2)
    }

    @Test(arguments: [
        ("film.mp4", FileKind.video), ("FILM.MP4", .video), ("a.b.pdf", .pdf), ("pdf", .other),
        (".pdf", .other), ("x.", .other), ("x.sqlite", .database), ("lib.so", .library),
        ("lib.so.6", .other), ("x.verylongextension", .other), ("x.p d f", .other),
    ])
    func tellsAKindByTheName(name: String, kind: FileKind) throws {
        #expect(FileKind(name: try #require(FileName(name))) == kind)
    }

    @Test func sumsByAge() throws {
        // What was just made was just used: its birth time counts. So time goes on instead.
        try tree.files(3, in: "", size: ByteCount(4_096))
        let inventory = try InventoryFixture.scan(directory.path)
        let use = try #require(inventory.largestItems(1).first?.lastUse)
        func bucket(after age: Duration) -> Int? {
            let sums = inventory.sumsByAge(now: use.advanced(by: age))
            #expect(sums.reduce(0) { $0 + $1.sum.items } == 3)
            return sums.firstIndex { $0.sum.items == 3 }
        }
        #expect(bucket(after: .seconds(3_600)) == 0)
        #expect(bucket(after: .seconds(3 * 86_400)) == 1)
        #expect(bucket(after: .seconds(40 * 86_400)) == 3)
        #expect(bucket(after: .seconds(9_000 * 86_400)) == 6)
        #expect(bucket(after: .seconds(-3_600)) == 0)
    }
}
