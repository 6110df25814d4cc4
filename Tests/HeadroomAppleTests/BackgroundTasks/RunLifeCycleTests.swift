//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomPromises
import Testing

struct RunLifeCycleTests {
    /// `#expect` does not take what changes its value.
    private func check(_ isTrue: Bool, _ location: SourceLocation = #_sourceLocation) {
        #expect(isTrue, sourceLocation: location)
    }

    private enum Event: CaseIterable { case begin, expire, finish }

    /// Every order of up to six events: whatever comes, a run is completed at most once, and never begun
    /// after it was completed.
    @Test(.tags(.r27b)) func completesAtMostOnceInEveryOrder() {
        var orders: [[Event]] = [[]]
        for _ in 0..<6 {
            orders += orders.flatMap { order in Event.allCases.map { order + [$0] } }
        }
        for order in orders {
            var cycle = RunLifeCycle()
            var completions = 0
            for event in order {
                switch event {
                case .begin:
                    let mayBegin = cycle.begin()
                    if mayBegin, completions > 0 {
                        Issue.record("\(order) begins what was completed")
                    }
                case .expire: if cycle.expire() { completions += 1 }
                case .finish: if cycle.finish() { completions += 1 }
                }
            }
            if completions > 1 { Issue.record("\(order) completes \(completions) times") }
        }
    }

    @Test func completesWorkThatEnds() {
        var cycle = RunLifeCycle()
        check(cycle.begin())
        check(cycle.finish())
        check(!cycle.expire())
        #expect(cycle.state == .ended)
    }

    @Test func completesAtTheExpiryAndNotAgainAtTheEnd() {
        var cycle = RunLifeCycle()
        check(cycle.begin())
        check(cycle.expire())
        #expect(cycle.state == .expired)
        check(!cycle.expire())
        check(!cycle.finish())
    }

    @Test func neverBeginsWhatHasExpired() {
        var cycle = RunLifeCycle()
        check(cycle.expire())
        check(!cycle.begin())
    }
}
