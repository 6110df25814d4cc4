//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Logging
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
}
