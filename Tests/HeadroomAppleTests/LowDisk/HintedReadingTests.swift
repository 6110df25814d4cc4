//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import Synchronization
import Testing

struct HintedReadingTests {
    @Test func looksAtEachHintAndMergesThoseThatComeMeanwhile() async {
        let (hints, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let count = Atomic<Int>(0)
        continuation.yield()
        await HintedReading(hints) {
            let number = count.add(1, ordering: .relaxed).newValue
            if number == 1 { for _ in 0..<5 { continuation.yield() } }
            if number == 2 { continuation.finish() }
        }.run()
        let readings = count.load(ordering: .relaxed)
        #expect(readings == 2)
    }
}
