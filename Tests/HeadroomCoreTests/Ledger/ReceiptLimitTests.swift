//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// How much of what stayed a receipt keeps: R22.
struct ReceiptLimitTests {
    @Test(.tags(.r22e)) func tenThousandOfWhatStayedAreKeptAndTheRestIsCounted() throws {
        let fixture = try PurgeFixture()
        let state = try TemporaryDirectory(on: .memory)
        try fixture.tree.files(10_040, in: "d")
        let ledger = Ledger.open(directory: state.path, now: { PurgeFixture.now })
        let told = Counter()
        let plan = try fixture.plan()
        // Written since.
        try fixture.tree.files(10_040, in: "d", size: ByteCount(1))
        var options = fixture.options()
        options.ledger = ledger
        options.report = { event in
            if case .skipped = event { told.increment() }
        }
        options.threads = 1
        let receipt = try Purger.purge(plan, options: options)
        #expect(receipt.removedCount == 0)
        #expect(receipt.skippedCount == 10_040)
        #expect(receipt.skipped.count == 10_000)
        #expect(told.count == 10_040)
        let kept = try #require(
            try Ledger.open(directory: state.path, now: { PurgeFixture.now }).receipts(last: 1)
                .first)
        #expect(kept.skippedCount == 10_040)
        #expect(kept.skipped == receipt.skipped)
        #expect(Set(kept.skipped.map(\.path)).count == 10_000)
        #expect(kept.skipped.allSatisfy { $0.reason.code == .changed })
    }

    /// However many of what went a receipt keeps, who asks is told of each.
    @Test(.tags(.r22d)) func whoWantsToKnowIsToldOfAllThatWent() throws {
        let fixture = try PurgeFixture()
        try fixture.tree.files(1_500, in: "d")
        let told = Mutex<Set<FilePath>>([])
        var options = fixture.options()
        options.report = { event in
            if case .removed(let path, _) = event { told.withLock { _ = $0.insert(path) } }
        }
        let receipt = try Purger.purge(try fixture.plan(), options: options)
        #expect(receipt.removedCount == 1_500)
        #expect(told.withLock { $0.count } >= 1_500)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func increment() { value.withLock { $0 += 1 } }
    }
}
