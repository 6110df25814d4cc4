//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Logging
import Synchronization
import SystemPackage
import Testing

struct NoticeBoardTests {
    /// Hands on what it is told.
    private struct Recorder: Teller {
        let name = "recorder"
        let told: AsyncStream<Notice>.Continuation
        func tell(_ notice: Notice) async throws(HeadroomError) { told.yield(notice) }
    }

    private struct Failing: Teller {
        let name = "failing"
        func tell(_ notice: Notice) async throws(HeadroomError) {
            throw HeadroomError(.io, "It cannot.")
        }
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func tellsByEveryWayThoughOneFails() async throws {
        let (stream, told) = AsyncStream.makeStream(of: Notice.self)
        let board = NoticeBoard(
            tellers: [Failing(), Recorder(told: told)], interval: .seconds(3_600), logger: logger,
            uptime: { .zero })
        // Cancelled below.
        let running = Task { try await board.run() }
        let notices = [Notices.make(.level), Notices.make(.missed), Notices.make(.cannotHelp)]
        for notice in notices + notices { board.post(notice) }
        var seen: [Notice] = []
        for await notice in stream {
            seen.append(notice)
            if seen.count == 3 { break }
        }
        #expect(seen == notices)
        #expect(board.recent == notices)
        running.cancel()
        try await running.value
    }

    @Test func waitsForNobodyAndKeepsABound() {
        let board = NoticeBoard(
            tellers: [], interval: .seconds(3_600), logger: logger, uptime: { .zero })
        for number in 0..<1_000 {
            #expect(board.post(Notices.make(volume: FilePath("/v\(number)"))))
            #expect(!board.post(Notices.make(volume: FilePath("/v\(number)"))))
        }
        #expect(board.recent.count == 50)
        #expect(board.recent.last?.volume == "/v999")
    }

    @Test func takesOtherWaysWhileItRuns() async throws {
        let (stream, told) = AsyncStream.makeStream(of: Notice.self)
        let board = NoticeBoard(
            tellers: [], interval: .seconds(3_600), logger: logger, uptime: { .zero })
        board.use([Recorder(told: told)], interval: .zero)
        // Cancelled below.
        let running = Task { try await board.run() }
        board.post(Notices.make())
        // With no interval, the same is told again.
        #expect(board.post(Notices.make()))
        var count = 0
        for await _ in stream {
            count += 1
            if count == 2 { break }
        }
        running.cancel()
        try await running.value
    }

    /// Who reminds each hour may do so a moment early now and then.
    @Test(.tags(.r24e), arguments: [true, false])
    func aReminderThatIsAMomentEarlyIsTold(isConfiguredLater: Bool) {
        let seconds = Mutex<Int64>(0)
        let board = NoticeBoard(
            tellers: [], interval: isConfiguredLater ? .seconds(60) : .seconds(3_600),
            logger: logger, uptime: { .seconds(seconds.withLock { $0 }) })
        if isConfiguredLater { board.use([], interval: .seconds(3_600)) }
        #expect(board.post(Notices.make(.cannotHelp)))
        for (next, isTold) in [(3_200, false), (3_595, true), (6_000, false), (7_194, true)] {
            seconds.withLock { $0 = Int64(next) }
            #expect(board.post(Notices.make(.cannotHelp)) == isTold, "\(next)")
        }
    }

    @Test(.tags(.r24f)) func bannersAreWhatIsStillSo() {
        let board = NoticeBoard(
            tellers: [], interval: .seconds(3_600), logger: logger, uptime: { .zero })
        func post(_ kind: Notice.Kind, _ volume: FilePath?, at seconds: Int64) {
            board.post(
                Notice(
                    time: Timestamp(seconds: seconds), kind: kind, volume: volume,
                    text: "\(kind.rawValue) \(seconds)"))
        }
        func texts(at seconds: Int64) -> [String] {
            board.banners(at: Timestamp(seconds: seconds)).map(\.text)
        }
        post(.anomaly, "/one", at: 1)
        post(.cannotHelp, "/one", at: 2)
        post(.missed, "/two", at: 3)
        post(.configuration, nil, at: 4)
        post(.confirmation, "/one", at: 5)
        // What matters most first, and of that the latest; plans that wait are asked about elsewhere.
        #expect(texts(at: 10) == ["missed 3", "cannotHelp 2", "configuration 4", "anomaly 1"])
        // The end of the plight of one of them.
        post(.level, "/one", at: 6)
        #expect(texts(at: 10) == ["missed 3", "configuration 4", "anomaly 1"])
        board.settle(.configuration)
        #expect(texts(at: 10) == ["missed 3", "anomaly 1"])
        // A day later what was not told again is not so any more, for all that is known.
        #expect(texts(at: 86_402) == ["missed 3"])
        #expect(texts(at: 86_403) == [])
    }
}
