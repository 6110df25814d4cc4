//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomPromises
import Testing

struct ProtectedDataWatchTests {
    @Test(.tags(.r35b)) func tellsEachChangeOnceToEveryListener() async {
        let watch = ProtectedDataWatch()
        var first = watch.changes().makeAsyncIterator()
        var second = watch.changes().makeAsyncIterator()
        watch.note(.becomingUnavailable)
        let change1 = await first.next()
        #expect(change1 == .becomingUnavailable)
        let change2 = await second.next()
        #expect(change2 == .becomingUnavailable)
        // Said again: no change.
        watch.note(.becomingUnavailable)
        watch.note(.available)
        let change3 = await first.next()
        #expect(change3 == .available)
        let change4 = await second.next()
        #expect(change4 == .available)
    }

    @Test(.tags(.r35b)) func tellsHowItIsToWhoComesLater() async {
        let watch = ProtectedDataWatch()
        watch.note(.becomingUnavailable)
        var late = watch.changes().makeAsyncIterator()
        let change5 = await late.next()
        #expect(change5 == .becomingUnavailable)
    }

    @Test func givesTheLastToWhoIsSlow() async {
        let watch = ProtectedDataWatch()
        var slow = watch.changes().makeAsyncIterator()
        watch.note(.becomingUnavailable)
        watch.note(.available)
        let change6 = await slow.next()
        #expect(change6 == .available)
    }
}
