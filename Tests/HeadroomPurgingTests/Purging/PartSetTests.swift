//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Models in several files, which are purged together or not at all.
@Suite("Purging the parts of a model")
struct PartSetTests {
    private let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }
    private static let parts: [TreePath] = [
        "big-00001-of-00003.gguf", "big-00002-of-00003.gguf", "big-00003-of-00003.gguf",
    ]

    init() throws {
        fixture = try PurgeFixture()
        for part in Self.parts { try tree.file(part, size: .kilobytes(100)) }
    }

    private var left: Int { Self.parts.count { tree.exists($0) } }

    @Test("Deletes all parts")
    func deletesAll() throws {
        let receipt = try fixture.purge(.cache)
        #expect(left == 0)
        #expect(receipt.removedCount == 1)
        #expect(try fixture.canariesAreUntouched())
    }

    @Test("Deletes parts that are links, and not what they lead to")
    func deletesLinks() throws {
        for (number, part) in Self.parts.enumerated() {
            try tree.remove(part)
            try fixture.outside.file(TreePath("blob\(number)"), size: .kilobytes(100))
            try tree.symbolicLink(part, to: "../outside/blob\(number)")
        }
        try fixture.purge(.cache)
        #expect(left == 0)
        for number in 0..<3 { #expect(fixture.outside.exists(TreePath("blob\(number)"))) }
    }

    @Test("Keeps all parts while a process has one of them open", .tags(.r44g), arguments: 0..<3)
    func keepsOpenPart(number: Int) throws {
        let opened = try FileDescriptor.open(tree.path(Self.parts[number]), .readOnly)
        try fixture.purge(.cache)
        #expect(left == 3)
        try opened.close()
    }

    @Test("Keeps all parts if one of them has changed since the plan", arguments: 0..<3)
    func keepsChangedPart(number: Int) throws {
        try fixture.purge(.cache, between: { try tree.file(Self.parts[number], text: "another") })
        #expect(left == 3)
    }
}
