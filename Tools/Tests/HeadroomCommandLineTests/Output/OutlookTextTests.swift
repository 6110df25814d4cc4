//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import Testing

struct OutlookTextTests {
    private static func days(_ count: Double) -> Duration { .seconds(Int64(count * 86_400)) }

    private static func expectation(
        _ earliest: Double, _ likely: Double, _ latest: Double?
    ) -> Forecast.Expectation {
        Forecast.Expectation(
            earliest: days(earliest), likely: days(likely), latest: latest.map(days))
    }

    @Test(arguments: [
        (expectation(31, 41, 60), "41 days (31–60)"),
        (expectation(0.9, 1, 1.2), "24 hours (22–29)"),
        (expectation(0.01, 0.02, nil), "29 minutes (14 or more)"),
        (expectation(80, 400, 1_000), "13 months (3–33)"),
        (expectation(900, 1_200, 1_500), "3 years (2–4)"),
        (expectation(3, 3, 3), "3 days"),
        (expectation(0, 0.0001, 0.0002), "1 minute (0–1)"),
    ])
    func tellsTimesInOneUnit(_ expected: Forecast.Expectation, _ text: String) {
        #expect(OutlookText.range(expected) == text)
    }

    private func forecast(
        warning: Forecast.Outlook, critical: Forecast.Outlook, full: Forecast.Outlook
    ) -> Forecast {
        var forecast = Forecast.ofBytes([], now: Timestamp(seconds: 0))
        (forecast.warning, forecast.critical, forecast.full) = (warning, critical, full)
        return forecast
    }

    @Test func namesTheLevelsBeforeTheEnd() {
        let text = OutlookText.bytes(
            forecast(
                warning: .reached, critical: .expected(Self.expectation(20, 33, 50)),
                full: .expected(Self.expectation(31, 41, 60))), samples: 100)
        #expect(
            text.string
                == "fills in about 41 days (31–60); warning now; critical in about 33 days (20–50)")
    }

    @Test func saysThatItDoesNotFill() {
        let none = Forecast.Outlook.notExpected(within: Self.days(112), earliest: nil)
        #expect(
            OutlookText.bytes(
                forecast(warning: none, critical: none, full: none), samples: 100
            ).string == "does not fill within 4 months")
        let some = Forecast.Outlook.notExpected(within: Self.days(112), earliest: Self.days(9))
        #expect(
            OutlookText.bytes(
                forecast(warning: none, critical: none, full: some), samples: 100
            ).string.hasSuffix("as it looks; at the earliest in 9 days"))
    }

    @Test func admitsThatTooLittleIsKnown() {
        let text = OutlookText.bytes(
            Forecast.ofBytes([], now: Timestamp(seconds: 0)), samples: 3)
        #expect(text.string.hasPrefix("too little is known to tell: 3 samples"))
    }
}
