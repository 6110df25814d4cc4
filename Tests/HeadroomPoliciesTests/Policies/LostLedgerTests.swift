//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// After a ledger was lost, what only it protected is left alone for a day.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a ramfs"))
struct LostLedgerTests {
    /// A file system without attributes: marks on it are in the ledger alone.
    private let bare: MountedImage
    private let directory: TemporaryDirectory
    private let time: Time

    private final class Time: Sendable {
        private let content = Mutex(Timestamp.now())
        var now: Timestamp { content.withLock { $0 } }
        func pass(_ duration: Duration) { content.withLock { $0 = $0.advanced(by: duration) } }
    }

    init() throws {
        bare = try MountedImage.ramfs()
        directory = try TemporaryDirectory(on: .disk)
        time = Time()
        for tree in [bare.tree, directory.tree] {
            for name in ["pinned", "other"] {
                try tree.file(TreePath("area/\(name)"), size: .kilobytes(8))
                try tree.age(TreePath("area/\(name)"), by: .seconds(90 * 86_400))
            }
        }
        try directory.tree.directory("home")
    }

    private func open() -> Workspace {
        let time = time
        return Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: { time.now }
        ).declaring(
            [bare.path, directory.path].map { place in
                var area = Area(
                    root: place.appending("area"), purgeClass: .temporary, origin: "test")
                area.ageBasis = .modified
                area.retention = .seconds(86_400)
                // By its age nothing goes on that day.
                area.limit = .kilobytes(4)
                return area
            }
        ).sampling {
            let now = time.now
            return ClockSample(
                wall: now, sinceBoot: now.duration(since: Timestamp(seconds: 0)), boot: 1)
        }
    }

    /// What the policy of a service does when it starts: what is due goes.
    private func run(_ workspace: Workspace) -> [PolicyResult] {
        PolicyRunner(workspace, .eager, place: nil, requester: "test").run(
            PolicyStep(.due, spending: .due), trigger: .launch)
    }

    @Test(.tags(.r9f)) func nothingGoesForADayThatOnlyTheLedgerProtected() throws {
        #expect(!AttributeSupport.isAvailable(at: bare.path))
        let first = open()
        try first.mark(bare.path.appending("area/pinned")) { $0.isPinned = true }
        try first.mark(directory.path.appending("area/pinned")) { $0.isPinned = true }
        // A ledger that is lost is one that is empty, or damaged, or gone.
        try directory.tree.remove("state/ledger.log")
        let second = open()
        #expect(second.ledger.notices.count == 1)
        #expect(second.ledger.rebuiltAt == time.now)
        let results = run(second)
        #expect(results.contains { $0.outcome == .purged }, "\(results)")
        #expect(bare.tree.exists("area/pinned") && bare.tree.exists("area/other"))
        // Where attributes are kept, they protect what is pinned and nothing more.
        #expect(directory.tree.exists("area/pinned"))
        #expect(!directory.tree.exists("area/other"))
        #expect(second.scope().notes.contains { $0.text.contains("left alone until 24 hours") })
        // Nor after another start, just before the day is over; a person is asked to mark anew.
        time.pass(.seconds(86_400 - 60))
        #expect(run(open()).allSatisfy { $0.outcome == .nothing })
        #expect(bare.tree.exists("area/pinned") && bare.tree.exists("area/other"))
        try open().mark(bare.path.appending("area/pinned")) { $0.isPinned = true }
        time.pass(.seconds(120))
        #expect(run(open()).contains { $0.outcome == .purged })
        #expect(bare.tree.exists("area/pinned"))
        #expect(!bare.tree.exists("area/other"))
    }
}
#endif
