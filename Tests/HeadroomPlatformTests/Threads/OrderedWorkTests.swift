//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import Testing

struct OrderedWorkTests {
    private struct Enough: Error {}

    @Test(arguments: [0, 1, 2, 7, 500], [1, 2, 4, 9])
    func handsOutInOrder(count: Int, width: Int) {
        var found: [Int] = []
        OrderedWork.run(count, width: width) { number in
            number * number
        } deliver: {
            found.append($0)
        }
        #expect(found == (0..<count).map { $0 * $0 })
    }

    /// What is made ahead is in memory.
    @Test(arguments: [1, 2, 4])
    func makesNoMoreThanTwiceTheWidthAhead(width: Int) {
        let made = Atomic<Int>(0)
        var delivered = 0
        var most = 0
        OrderedWork.run(300, width: width) { (_) -> Int in
            made.add(1, ordering: .relaxed).newValue
        } deliver: { _ in
            most = max(most, made.load(ordering: .relaxed) - delivered)
            delivered += 1
        }
        #expect(made.load(ordering: .relaxed) == 300)
        #expect((1...2 * width + 1).contains(most), "\(most)")
    }

    @Test func anErrorEndsIt() {
        let made = Atomic<Int>(0)
        var delivered = 0
        #expect(throws: Enough.self) {
            try OrderedWork.run(1_000_000, width: 3) { (_) -> Int in
                made.add(1, ordering: .relaxed).newValue
            } deliver: { (_: Int) throws in
                delivered += 1
                if delivered == 5 { throw Enough() }
            }
        }
        #expect(delivered == 5)
        #expect(made.load(ordering: .relaxed) <= 5 + 7)
    }
}
