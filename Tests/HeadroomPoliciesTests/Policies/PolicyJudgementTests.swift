//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Testing

/// R24's "cannot help", at its boundary.
struct PolicyJudgementTests {
    private func need(_ shortage: Int64) -> PolicyNeed {
        PolicyNeed(.bytes, at: .critical, available: 100, target: 100 + shortage, minimum: 0)
    }

    @Test(arguments: [
        (Int64(1_000), Int64(499), false), (1_000, 500, true), (1_001, 500, false),
        (1_001, 501, true), (1, 0, false), (1, 1, true), (999_999_999_999, 499_999_999_999, false),
        (999_999_999_999, 500_000_000_000, true),
    ])
    func aHalfIsEnough(_ shortage: Int64, _ eligible: Int64, _ helps: Bool) {
        #expect(need(shortage).isHelped(by: eligible, share: 0.5) == helps)
    }

    @Test func shareMayBeAnother() {
        #expect(need(1_000).isHelped(by: 0, share: 0))
        #expect(!need(1_000).isHelped(by: 999, share: 1))
        #expect(need(1_000).isHelped(by: 1_000, share: 1))
    }

    @Test func amountsThatNoVolumeHasDoNotTrap() {
        let need = PolicyNeed(
            .bytes, at: .warning, available: .min, target: .max, minimum: .max)
        #expect(need.shortage == .max && need.wanted == .max)
        #expect(need.text(need.wanted).hasSuffix("EB"))
    }
}
