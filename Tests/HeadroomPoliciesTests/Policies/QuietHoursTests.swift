//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

struct QuietHoursTests {
    @Test(arguments: [
        ("22:00", "7:00", 21 * 60 + 59, nil), ("22:00", "7:00", 22 * 60, 540),
        ("22:00", "7:00", 0, 420), ("22:00", "7:00", 6 * 60 + 59, 1), ("22:00", "7:00", 420, nil),
        ("9:30", "17:00", 570, 450), ("9:30", "17:00", 569, nil), ("9:30", "17:00", 1020, nil),
        ("18:00", "24:00", 1439, 1), ("18:00", "24:00", 0, nil), ("0:00", "6:00", 0, 360),
    ])
    func endsWhenItSays(_ start: String, _ end: String, _ minute: Int, _ left: Int?) throws {
        let hours = try #require(QuietHours(from: start, to: end))
        #expect(hours.minutesLeft(at: minute) == left)
        #expect(hours.contains(minute: minute) == (left != nil))
    }

    /// By counting: walks the day minute by minute from the start.
    @Test func holdsTheMinutesBetween() {
        for start in stride(from: 0, to: 1440, by: 97) {
            for end in stride(from: 0, through: 1440, by: 60) where end % 1440 != start {
                let hours = QuietHours(start: start, end: end)
                var within: Set<Int> = []
                var minute = start
                while minute != end % 1440 {
                    within.insert(minute)
                    minute = (minute + 1) % 1440
                }
                for minute in 0..<1440 {
                    #expect(hours.contains(minute: minute) == within.contains(minute))
                }
            }
        }
    }

    @Test func sameStartAndEndIsTheWholeDay() throws {
        for hours in [QuietHours(start: 0, end: 1440), QuietHours(start: 300, end: 300)] {
            for minute in 0..<1440 {
                #expect(hours.contains(minute: minute))
                #expect(hours.minutesLeft(at: minute) == nil)
            }
        }
    }

    @Test(arguments: [
        "", "7", "7:0", "24:01", "12:60", "-1:00", "1:2:3", "٧:00", "07:00 ", "123:00",
    ])
    func refusesWhatIsNoTime(_ text: String) {
        #expect(QuietHours(from: "0:00", to: text) == nil)
        #expect(QuietHours(from: text, to: "1:00") == nil)
    }

    @Test func isShownAsATime() {
        #expect(QuietHours(start: 1320, end: 425).description == "22:00–07:05")
    }
}
