//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

/// The engine against the model of Documentation/Design/0043-model-based-tests.md, on random trees and
/// with random things happening to them.
///
/// `HEADROOM_SEED=N` plays one case again, `HEADROOM_SOAK=1` a hundred times as many.
@Suite(
    .enabled(if: ModelCase.isPossible, "no memory file system with marks and birth times"))
struct EngineModelTests {
    private static let cases: UInt64 = Privilege.isSoak ? 1_000 : 10
    private static let steps = 90

    private static let given = unsafe getenv("HEADROOM_SEED").flatMap {
        unsafe UInt64(String(cString: $0))
    }

    @Test(.tags(.s4a, .s5a, .r8c, .r9a, .r9b, .r15a, .r16a), arguments: 0..<4)
    func engineAndModelAgree(part: Int) {
        if let given = Self.given {
            if part == 0 { _ = play(given) }
            return
        }
        let first = UInt64.random(in: 0..<1 << 48)
        var tally = ModelTally()
        var number: UInt64 = 0
        // More of them where chance has left something out.
        while number < Self.cases || !tally.isEnough && number < 10 * Self.cases {
            guard let result = play(first + number) else { return }
            tally = tally + result
            number += 1
        }
        // Else the test tests nothing.
        #expect(tally.isEnough, "\(tally), from seed \(first)")
    }

    /// - Returns: what was compared; nil if engine and model differ.
    private func play(_ seed: UInt64) -> ModelTally? {
        let result = ModelCase.play(seed: seed, steps: Self.steps)
        guard let failure = result.failure else { return result.tally }
        Issue.record("\(ModelCase.report(seed: seed, result, failure))")
        return nil
    }
}

@Suite struct ShrinkingTests {
    @Test func onlyWhatIsNeededIsLeft() {
        let shrunk = Shrinking.shrunk(Array(0..<100)) { $0.contains(17) && $0.contains(83) }
        #expect(shrunk == [17, 83])
    }

    @Test func whatIsNeededInOrderKeepsItsOrder() {
        let shrunk = Shrinking.shrunk(Array(0..<64)) { list in
            list.filter { $0 % 10 == 3 } == [3, 13, 23, 33, 43, 53, 63]
        }
        #expect(shrunk == [3, 13, 23, 33, 43, 53, 63])
    }

    @Test func nothingIsLeftOutOfWhatFailsAsAWholeOnly() {
        let whole = Array(0..<9)
        #expect(Shrinking.shrunk(whole) { $0 == whole } == whole)
    }

    @Test func itEndsAtItsLimit() {
        var tries = 0
        _ = Shrinking.shrunk(Array(0..<1_000), limit: 20) { _ in
            tries += 1
            return false
        }
        #expect(tries == 20)
    }
}
#endif
