//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import Testing

struct ProtectedDataWatchTests {
    @Test func tellsEachChangeOnceToEveryListener() async {
        let watch = ProtectedDataWatch()
        var first = watch.changes().makeAsyncIterator()
        var second = watch.changes().makeAsyncIterator()
        watch.note(.becomingUnavailable)
        #expect(await first.next() == .becomingUnavailable)
        #expect(await second.next() == .becomingUnavailable)
        // Said again: no change.
        watch.note(.becomingUnavailable)
        watch.note(.available)
        #expect(await first.next() == .available)
        #expect(await second.next() == .available)
    }

    @Test func tellsHowItIsToWhoComesLater() async {
        let watch = ProtectedDataWatch()
        watch.note(.becomingUnavailable)
        var late = watch.changes().makeAsyncIterator()
        #expect(await late.next() == .becomingUnavailable)
    }

    @Test func givesTheLastToWhoIsSlow() async {
        let watch = ProtectedDataWatch()
        var slow = watch.changes().makeAsyncIterator()
        watch.note(.becomingUnavailable)
        watch.note(.available)
        #expect(await slow.next() == .available)
    }
}
