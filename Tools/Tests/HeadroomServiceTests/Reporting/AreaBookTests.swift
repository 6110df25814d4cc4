//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What is told of areas by looks of a real policy and by its purges.
struct AreaBookTests {
    private let directory: TemporaryDirectory
    private let told = Told()

    private final class Told: Sendable {
        struct Content {
            var looks = 0
            var surveys: [AreaSurvey] = []
            var purges: [AreaSurvey] = []
            var uptime = Duration.zero
        }

        let content = Mutex(Content())
        var now: Content { content.withLock { $0 } }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("home")
        for name in ["old", "new", "newer"] {
            try directory.tree.file(TreePath("data/\(name)"), size: .megabytes(1))
        }
        try directory.tree.age("data/old", by: .seconds(90 * 86_400))
    }

    private func makeBook() -> AreaBook {
        let told = told
        return AreaBook(
            interval: .seconds(300), uptime: { told.now.uptime },
            onLook: { _ in told.content.withLock { $0.looks += 1 } },
            onSurvey: { survey in told.content.withLock { $0.surveys.append(survey) } },
            onPurge: { survey in told.content.withLock { $0.purges.append(survey) } },
            onTrouble: { Issue.record("\($0)") })
    }

    /// What is due in an area that keeps things for a month, as the service does it.
    private func run(_ book: AreaBook, place: FilePath? = nil) -> [PolicyResult] {
        var area = Area(
            root: directory.path.appending("data"), purgeClass: .temporary, origin: "test")
        area.ageBasis = .modified
        area.retention = .seconds(30 * 86_400)
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        ).showingLooks { book.show($0) }.declaring([area])
        // The files were just written.
        var policy = Policy()
        policy.minIdle = .none
        let results = PolicyRunner(workspace, policy, place: place, requester: "test").run(
            PolicyStep(.due, spending: .due), trigger: .interval)
        for result in results { book.note(result) }
        return results
    }

    private func data(_ survey: AreaSurvey?) -> AreaFigures? {
        survey?.areas.first { $0.root == directory.path.appending("data") }
    }

    @Test func whatWasPurgedIsTakenAwayFromWhatWasSeen() throws {
        let book = makeBook()
        #expect(run(book).map(\.outcome) == [.purged])
        let (seen, left) = (data(told.now.surveys.first), data(told.now.purges.first))
        #expect(seen?.items == 3 && left?.items == 2)
        let before = try #require(seen?.allocated)
        let after = try #require(left?.allocated)
        #expect(before - after >= .megabytes(1) && before - after < .megabytes(2))
        #expect(seen?.recent.map(\.path.lastComponent?.string).contains("newer") == true)
    }

    /// A receipt of several volumes is taken from those whose areas it names.
    @Test func whatAPersonHasConfirmedIsTakenAwayToo() throws {
        let book = makeBook()
        let root = directory.path.appending("data")
        #expect(run(book, place: root).map(\.outcome) == [.purged])
        var receipt = Receipt(id: "1", started: .now(), requester: "test", target: "everything")
        receipt.perArea = [.init(name: "/elsewhere", bytes: .megabytes(1), count: 1)]
        for volume in ["/elsewhere", nil] as [FilePath?] { book.note(receipt, of: volume) }
        #expect(told.now.purges.count == 1)
        receipt.perArea.append(.init(name: root.displayText, bytes: .megabytes(1), count: 1))
        book.note(receipt, of: nil)
        #expect(told.now.purges.count == 2)
        #expect(data(told.now.purges.last)?.items == 1)
    }

    @Test func sumsUpNoMoreOftenThanTheInterval() throws {
        let book = makeBook()
        _ = run(book)
        try directory.tree.file("data/more", size: .megabytes(1))
        try directory.tree.age("data/more", by: .seconds(90 * 86_400))
        #expect(run(book).map(\.outcome) == [.purged])
        #expect(told.now.looks == 2)
        #expect(told.now.surveys.count == 1)
        // What had come between is not known, so that nothing is said of this purge.
        #expect(told.now.purges.count == 1)
        told.content.withLock { $0.uptime = .seconds(301) }
        _ = run(book)
        #expect(told.now.surveys.count == 2)
        #expect(data(told.now.surveys.last)?.items == 2)
        book.reset()
        _ = run(book)
        #expect(told.now.surveys.count == 3)
    }
}
