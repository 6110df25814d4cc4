//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import Testing

struct WatchBudgetTests {
    @Test func sharesTakeFromOneBudget() {
        let budget = WatchBudget(limit: 3)
        let one = WatchBudget.Share(of: budget)
        let other = WatchBudget.Share(of: budget)
        #expect(one.take() && one.take() && other.take())
        #expect(!one.take() && !other.take())
        other.giveBack()
        #expect(one.take())
        #expect(!other.take())
    }

    @Test func whatAShareHasTakenComesBackWithItsEnd() {
        let budget = WatchBudget(limit: 2)
        var one: WatchBudget.Share? = WatchBudget.Share(of: budget)
        let other = WatchBudget.Share(of: budget)
        #expect(one?.take() == true && one?.take() == true)
        #expect(!other.take())
        one = nil
        #expect(other.take() && other.take())
        #expect(!other.take())
    }
}
#endif
