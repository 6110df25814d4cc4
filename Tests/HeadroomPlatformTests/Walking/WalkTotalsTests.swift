//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(.enabled(if: DiskUsage.isAvailable, "needs GNU du to compare with"))
struct WalkTotalsTests {
    @Test(arguments: CallRoute.allCases) func equalsDuOnUsr(route: CallRoute) throws {
        let expected = try DiskUsage.allocated("/usr")
        let result = try WalkFixture.walk("/usr", route.calls)
        #expect(result.totals.allocated == expected.bytes)
        #expect(result.totals.errors == 0)
        #expect(result.isComplete)
    }

    @Test(.tags(.r8a), arguments: CallRoute.allCases) func equalsDuOnAnOddTree(route: CallRoute)
        throws
    {
        let directory = try TemporaryDirectory()
        try WalkFixture.makeOddTree(directory.tree, links: 10_000)
        let expected = try DiskUsage.allocated(directory.path)
        for threads in [1, 2, 8, 16] {
            let result = try WalkFixture.walk(directory.path, route.calls, threads: threads)
            #expect(result.totals.allocated == expected.bytes, "\(threads) threads")
            #expect(result.totals.errors == 0)
        }
    }

    @Test(arguments: CallRoute.allCases) func countsNamesAndLengths(route: CallRoute) throws {
        let directory = try TemporaryDirectory(on: .memory)
        let tree = directory.tree
        try tree.file("a/one", size: ByteCount(1_000))
        try tree.hardLink("b/two", to: "a/one")
        try tree.sparseFile("b/hole", size: .gibibytes(1))
        try tree.symbolicLink("b/link", to: "12345")
        try tree.fifo("b/fifo")
        let totals = try WalkFixture.walk(directory.path, route.calls).totals
        #expect(totals.files == 5)
        #expect(totals.directories == 3)
        #expect(totals.logical == 1_000 + 1 << 30 + 5)
    }

    @Test(.tags(.s13b, .r14c), arguments: CallRoute.allCases) func walksADeepChain(route: CallRoute)
        throws
    {
        let directory = try TemporaryDirectory(on: .memory)
        let bottom = try directory.tree.chain("deep", depth: 3_000)
        try directory.tree.file(bottom / "leaf", size: ByteCount(10_000))
        let expected = try DiskUsage.allocated(directory.path)
        for limit in [nil, 8] {
            let result = try WalkFixture.walk(directory.path, route.calls) {
                $0.descriptorLimit = limit
            }
            #expect(result.totals.allocated == expected.bytes)
            #expect(result.totals.directories == 3_002)
            #expect(result.totals.files == 1)
        }
    }

    @Test(arguments: CallRoute.allCases)
    func walksADeepTreeWithSiblingsAndFewDescriptors(route: CallRoute) throws {
        // The POSIX route opens each component anew: shorter, so that the test is not long.
        let depth = route == .posix || !Privilege.isSoak ? 600 : 3_000
        let directory = try TemporaryDirectory(on: .memory)
        let tree = directory.tree
        try tree.chain("deep", depth: depth)
        var place: TreePath = "deep"
        for level in 0..<depth {
            try tree.directory(place / "a")
            try tree.directory(place / "z")
            if level % 10 == 0 { try tree.file(place / "file", size: ByteCount(1)) }
            place = place / "d"
        }
        let expected = try DiskUsage.allocated(directory.path)
        let watched = directory.path.string
        for limit in [nil, 16] {
            let result = try WalkFixture.walk(directory.path, route.calls, threads: 2) {
                $0.descriptorLimit = limit
            }
            #expect(result.totals.allocated == expected.bytes)
            #expect(result.totals.directories == 3 * depth + 2)
            #expect(result.totals.errors == 0)
        }
        #if os(Linux)
        #expect(OpenDescriptors.count(below: watched) == 0)
        #endif
    }

    @Test(arguments: CallRoute.allCases) func walksAWideDirectory(route: CallRoute) throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.files(50_000, in: "wide")
        try directory.tree.files(10, in: "wide/below", size: ByteCount(5_000))
        let expected = try DiskUsage.allocated(directory.path)
        for threads in [1, 2, 8] {
            let result = try WalkFixture.walk(directory.path, route.calls, threads: threads)
            #expect(result.totals.allocated == expected.bytes, "\(threads) threads")
            #expect(result.totals.files == 50_010)
        }
    }
}
