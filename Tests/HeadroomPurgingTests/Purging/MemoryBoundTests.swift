//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What a process takes for a scan, a plan and a purge grows by a stated number of bytes for each item
/// (safety invariant S13; Documentation/Design/0001-inventory-memory.md).
@Suite(.enabled(if: PurgeDriverProgram.path != nil, "needs the program PurgeDriver"))
struct MemoryBoundTests {
    private static let itemCount = 200_000
    private static let bytesPerItem = 200

    private func peak(_ items: Int, unit: String) throws -> Int64 {
        let fixture = try PurgeFixture()
        for directory in 0..<(items / 1_000) {
            try fixture.tree.files(1_000, in: "d\(directory / 20)/e\(directory)")
        }
        let result = try ChildProcess.run(
            try #require(PurgeDriverProgram.path),
            [fixture.root.string, unit, "none", fixture.base.path.appending("book").string])
        #expect(result.succeeded, "\(result)")
        #expect(try fixture.tree.names() == [])
        // Of the program itself: what getrusage(2) tells includes what it was started from.
        let line = result.errors.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = try #require(line).split(whereSeparator: \.isWhitespace)
        return try #require(Int64(words[1])) * 1_024
    }

    @Test(.tags(.s13c), arguments: ["file", "entry"])
    func aPurgeOf200000ItemsStaysBelowItsBound(unit: String) throws {
        let base = try peak(1_000, unit: unit)
        let whole = try peak(Self.itemCount, unit: unit)
        let grown = (whole - base) / Int64(Self.itemCount)
        // Else nothing is measured.
        #expect(grown >= Int64(Inventory.bytesPerItem))
        #expect(grown <= Int64(Self.bytesPerItem), "\(grown) bytes an item")
    }
}
#endif
