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

/// Items are packed into 48 bytes; what does not fit must come out again as it went in.
struct PackedItemTests {
    private struct Sizes: Equatable {
        var allocated: Int64
        var logical: Int64
        var links: UInt16
    }

    @Test func whatDoesNotFitIsKeptExactly() throws {
        let tebibyte = Int64(1) << 40
        let sizes = [
            Sizes(allocated: 0, logical: 0, links: 1),
            Sizes(allocated: 2 * tebibyte - 512, logical: 1, links: 14),
            Sizes(allocated: 2 * tebibyte, logical: 3 * tebibyte, links: 1),
            Sizes(allocated: 8_000_000 * tebibyte, logical: .max, links: 2),
            // A listing of another program may have any number.
            Sizes(allocated: 513, logical: 513, links: 1),
            Sizes(allocated: 4096, logical: 1, links: 15),
            Sizes(allocated: 4096, logical: 1, links: 0),
            Sizes(allocated: 4096, logical: 1, links: .max),
            Sizes(allocated: 8192, logical: 5000, links: 3),
        ]
        var draft = InventoryDraft(areas: [], scanned: Timestamp(seconds: 0))
        let root = draft.addRoot(
            "/r", InventoryDraft.Directory(identity: FileIdentity(device: 1, inode: 2)))
        for (number, size) in sizes.enumerated() {
            let identity = FileIdentity(device: 1, inode: UInt64(100 + number))
            var item = InventoryDraft.Item(identity: identity)
            item.allocated = size.allocated
            item.logical = size.logical
            item.linkCount = size.links
            item.modified = .max
            item.created = UInt32(number)
            item.type = FileType.allCases[number % FileType.allCases.count]
            let name = try #require(FileName("file-\(number)"))
            draft.addItem(name, in: root, item)
        }
        let (_, items) = InventoryFixture.entries(draft.finish())
        for (number, size) in sizes.enumerated() {
            let item = try #require(items.first { $0.identity.inode == UInt64(100 + number) })
            #expect(item.name.text == "file-\(number)")
            #expect(item.allocated.bytes == size.allocated)
            #expect(item.logical.bytes == size.logical)
            #expect(item.linkCount == Int(size.links))
            #expect(item.type == FileType.allCases[number % FileType.allCases.count])
            #expect(item.modified == Timestamp(seconds: Int64(UInt32.max)))
        }
    }
}
