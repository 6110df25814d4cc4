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

/// What a receipt adds up, however many threads did the work.
struct PurgeTotalsTests {
    @Test(.tags(.r17a, .r22a), arguments: [1, 2, 4])
    func eachTotalCountsWhatWent(threads: Int) throws {
        let fixture = try PurgeFixture()
        let (directories, files) = (60, 50)
        for directory in 0..<directories {
            for file in 0..<files {
                try fixture.tree.file("d\(directory)/f\(file)", size: ByteCount(4096))
            }
            // Every other directory has something that only one thread deals with.
            if directory % 2 == 0 {
                try fixture.tree.hardLink("d\(directory)/link", to: "d\(directory)/f0")
            }
        }
        let plan = try fixture.plan()
        var options = fixture.options()
        options.threads = threads
        let progress = PurgeProgress()
        let receipt = try Purger.purge(plan, options: options, progress: progress)

        let links = directories / 2
        let count = directories * files + links
        #expect(receipt.emptiedCount == directories)
        #expect(receipt.removedCount == count)
        #expect(receipt.skipped.isEmpty)
        #expect(progress.removed == count)
        #expect(progress.freed == receipt.expected)
        for totals in [receipt.perClass, receipt.perArea] {
            #expect(totals.map(\.count).reduce(0, +) == count)
            #expect(totals.map(\.bytes).reduce(.zero, +) == receipt.expected)
        }
        #expect(try fixture.tree.names(in: "").isEmpty)
        #expect(try fixture.canariesAreUntouched())
    }

    @Test func filesOfADirectoryThatIsVisitedTwiceAreNotTakenForChanged() throws {
        let fixture = try PurgeFixture()
        for directory in 0..<50 {
            for file in 0..<50 { try fixture.tree.file("d\(directory)/f\(file)", size: .zero) }
            // A database and its sidecar, which go after the plain files of their directory.
            try fixture.tree.file("d\(directory)/x.sqlite", text: "SQLite format 3\0")
            try fixture.tree.file("d\(directory)/x.sqlite-wal", text: "")
        }
        let receipt = try fixture.purge { $0.threads = 2 }
        #expect(receipt.skipped.isEmpty)
        #expect(try fixture.tree.names(in: "").isEmpty)
    }
}
