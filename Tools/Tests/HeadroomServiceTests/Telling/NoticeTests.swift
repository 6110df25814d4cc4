//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import SystemPackage
import Testing

struct NoticeTests {
    @Test(.tags(.r38g)) func isOneObjectOfJSON() throws {
        let bytes = Notices.make(text: "“a”\n\u{1}/b").json
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(object["schema"] as? String == "headroom.notice/1")
        #expect(object["kind"] as? String == "cannotHelp")
        #expect(object["urgency"] as? String == "high")
        #expect(object["volume"] as? String == "/data")
        #expect(object["level"] as? String == "critical")
        #expect(object["text"] as? String == #"“a”\x0A\x01/b"#)
        #expect(object["time"] as? String == "2027-01-15T08:00:00Z")
        #expect((object["figures"] as? [String: Int])?["availableBytes"] == 3_100_000)
        #expect(!bytes.contains(0x0A))
    }

    @Test(arguments: [
        (Notice.Kind.level, PressureLevel.critical, Notice.Urgency.high),
        (.level, .warning, .medium), (.level, .normal, .low), (.missed, .warning, .high),
        (.anomaly, .normal, .medium),
    ])
    func mattersByKindAndLevel(
        _ kind: Notice.Kind, _ level: PressureLevel, _ urgency: Notice.Urgency
    ) {
        #expect(Notices.make(kind, level: level).urgency == urgency)
    }
}

struct NoticeLimiterTests {
    private var limiter = NoticeLimiter(interval: .seconds(3_600))

    @Test mutating func tellsOnceAndThenEveryHour() {
        var told: [Int] = []
        for minute in 0..<200 where limiter.admits(Notices.make(), at: .seconds(60 * minute)) {
            told.append(minute)
        }
        #expect(told == [0, 60, 120, 180])
        #expect(limiter.suppressed(Notices.make()) == 19)
    }

    @Test mutating func tellsEachChangeOfLevelAtOnce() {
        let levels: [PressureLevel] = [.warning, .warning, .critical, .critical, .warning, .normal]
        let told = levels.enumerated().map { index, level in
            limiter.admits(Notices.make(.level, level: level), at: .seconds(index))
        }
        #expect(told == [true, false, true, false, true, true])
    }

    @Test mutating func keepsVolumesAndKindsApart() {
        let notices = [
            Notices.make(volume: "/a"), Notices.make(volume: "/b"),
            Notices.make(.missed, volume: "/a"), Notices.make(volume: "/a"),
        ]
        let told = notices.map { limiter.admits($0, at: .zero) }
        #expect(told == [true, true, true, false])
    }

    @Test mutating func tellsAnotherTextWhereThereIsNoLevel() {
        func notice(_ text: String) -> Notice {
            Notices.make(.configuration, volume: nil, level: nil, text: text)
        }
        let told = ["line 3", "line 3", "line 4"].enumerated().map { second, text in
            limiter.admits(notice(text), at: .seconds(second))
        }
        #expect(told == [true, false, true])
    }

    @Test mutating func staysBounded() {
        for number in 0..<5_000 {
            _ = limiter.admits(
                Notices.make(volume: FilePath("/v\(number)")), at: .milliseconds(number))
        }
        let oldest = limiter.admits(Notices.make(volume: "/v0"), at: .seconds(5))
        let newest = limiter.admits(Notices.make(volume: "/v4999"), at: .seconds(5))
        #expect(oldest && !newest)
    }
}
