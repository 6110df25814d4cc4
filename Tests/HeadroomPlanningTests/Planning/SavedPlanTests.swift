//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct SavedPlanTests {
    private func plan() -> Plan {
        var cache = Fixture.area("c", .cache, retention: .days(30), limit: 5_000)
        cache.trimPercent = 50
        var fixture = Fixture(areas: [
            cache,
            Fixture.area("u", .temporary, unit: .entry), Fixture.area("l", .lastResort),
        ])
        fixture.file("c/d/x", size: 8192, unusedFor: .days(40))
        fixture.file("c/x.db") { $0.fingerprint = 0xFFFF_FFFF_FFFF_FFFF }
        fixture.file("c/x.db-wal")
        fixture.file("c/link \"quoted\"\n", size: 0) { $0.type = .symbolicLink }
        fixture.file("u/unit/deep/a")
        fixture.file("l/one", size: 4096)
        fixture.link("l/two", to: "l/one")
        fixture.file("l/pinned") { $0.mark = Mark(isPinned: true) }
        return fixture.make().plan(.all, .olderThan(.days(3), by: .created), .free(ByteCount(1)))
    }

    private func lines(_ plan: Plan) throws -> [[UInt8]] {
        var bytes: [UInt8] = []
        try SavedPlan.write(plan) { bytes += $0 }
        return bytes.split(separator: 0x0A).map(Array.init)
    }

    private func read(_ lines: [[UInt8]]) throws(HeadroomError) -> Plan {
        var rest = lines
        return try SavedPlan.read { () throws(HeadroomError) in
            rest.isEmpty ? [] : rest.removeFirst() + [0x0A]
        }
    }

    @Test(.tags(.r17c)) func comesBackAsItWas() throws {
        let plan = plan()
        let copy = try read(lines(plan))
        #expect(copy.elementsEqual(plan))
        #expect(copy.frees == plan.frees)
        #expect(copy.kept == plan.kept)
        #expect(copy.obstacles == plan.obstacles)
        #expect(copy.obstacles.map(\.reason.code) == [.pinned])
        #expect(copy.request.targets == plan.request.targets)
        #expect(copy.request.through == plan.request.through)
        #expect(copy.inventory.areas == plan.inventory.areas)
        #expect(copy.inventory.areas.contains { $0.trimPercent == 50 })
        #expect(try lines(copy) == lines(plan), "what was read is written the same")
    }

    @Test func namesThatAreNotUTF8Survive() throws {
        let directory = try TemporaryDirectory()
        let name = try #require(FileName([0x61, 0xFF, 0x25, 0x0A]))
        try directory.tree.file(TreePath([name]), size: .kilobytes(4))
        let area = Area(root: directory.path, purgeClass: .cache, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: directory.path)], areas: [area], options: ScanOptions(now: Fixture.now))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: Fixture.now))
        #expect(plan.count == 1)
        #expect(try read(lines(plan)).elementsEqual(plan))
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("plan.jsonl")
        try SavedPlan.save(plan(), to: path)
        #expect(try SavedPlan.load(path).elementsEqual(plan()))
        #expect(throws: HeadroomError.self) { try SavedPlan.save(plan(), to: path) }
        // What lies where is nobody else's business, whatever the mask of the process lets through.
        #expect(try PathCalls.status(path).permissions & 0o7777 == 0o600)
        #expect(throws: HeadroomError.self) { try SavedPlan.load(directory.path) }
        #expect(throws: HeadroomError.self) {
            try SavedPlan.load(directory.path.appending("missing"))
        }
    }

    @Test(.tags(.r17c)) func whatOthersMayHaveWrittenIsRefused() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let path = directory.path.appending("plan")
        try SavedPlan.save(plan(), to: path)
        for permissions in [0o620, 0o602, 0o666] as [UInt16] {
            try directory.tree.setPermissions(permissions, of: "plan")
            let error = #expect(throws: HeadroomError.self) { try SavedPlan.load(path) }
            #expect(error?.code == .refused, "\(permissions)")
        }
        try directory.tree.setPermissions(0o644, of: "plan")
        #expect(try SavedPlan.load(path).elementsEqual(plan()))
        guard Privilege.isRoot else { return }
        unsafe #expect(chown(path.string, 12345, 12345) == 0)
        let error = #expect(throws: HeadroomError.self) { try SavedPlan.load(path) }
        #expect(error?.code == .refused)
    }

    @Test(.tags(.r17c)) func everyCutIsRefused() throws {
        let bytes = Array(try lines(plan()).joined(separator: [0x0A]))
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: HeadroomError.self) { try read([Array(bytes.prefix(length))]) }
        }
        #expect(throws: HeadroomError.self) { try read(lines(plan()) + [Array("{}".utf8)]) }
    }

    @Test(
        .tags(.s1a, .r17c),
        arguments: [
            (
                "\"class\":\"cache\",\"unit\":\"file\",\"bytes\"",
                "\"class\":\"essential\",\"unit\":\"file\",\"bytes\"",
                "class"
            ),
            (
                "\"class\":\"cache\",\"unit\":\"file\",\"bytes\"",
                "\"class\":\"temporary\",\"unit\":\"file\",\"bytes\"",
                "disagree"
            ),
            ("\"path\":\"/r/c/d/x\"", "\"path\":\"/r/c/d/../x\"", "plain names"),
            ("\"path\":\"/r/c/d/x\"", "\"path\":\"/r/c//x\"", "plain names"),
            ("\"path\":\"/r/c/d/x\"", "\"path\":\"c/d/x\"", "plain names"),
            ("\"path\":\"/r/c/d/x\"", "\"path\":\"/etc/x\"", "does not lie"),
            ("\"path\":\"/r/c/d/x\"", "\"path\":\"/r/x\"", "does not lie"),
            ("\"name\":\"x\"", "\"name\":\"..\"", "no name"),
            ("\"name\":\"x\"", "\"name\":\"a/b\"", "no name"),
            ("\"name\":\"x\"", "\"name\":\"other\"", "not its own"),
            ("\"name\":\"x.db-wal\"", "\"name\":\"x.db2\"", "no sidecar"),
            ("\"name\":\"x.db-wal\"", "\"name\":\"other-wal\"", "no sidecar"),
            ("headroom.saved-plan/1", "headroom.saved-plan/2", "version"),
            ("\"path\":\"/r/c/d\"", "\"path\":\"/r/q/d\"", "around it"),
            ("\"bytes\":8192", "\"bytes\":-8192", "whole number"),
            ("\"bytes\":8192", "\"bytes\":99999999999999999999", "too large"),
            ("\"bytes\":8192", "\"surprise\":8192", "no field"),
        ])
    func refusesWhatItWouldNotWrite(original: String, forged: String, message: String) throws {
        let text = String(
            decoding: Array(try lines(plan()).joined(separator: [0x0A])), as: UTF8.self)
        #expect(text.contains(original), "the test is out of date: \(original)")
        let parts = text.split(separator: original, maxSplits: 1, omittingEmptySubsequences: false)
        let changed = parts.joined(separator: forged)
        let error = #expect(throws: HeadroomError.self) { try read([Array(changed.utf8)]) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("line") == true)
    }

    @Test func noByteThatIsChangedTraps() throws {
        let bytes = Array(try lines(plan()).joined(separator: [0x0A]))
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                changed[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            // It may happen to make sense; then all of it has to.
            if let plan = try? read([changed]) {
                for entry in plan { #expect(entry.path.isAbsolute, "seed \(seed)") }
            }
        }
    }

    // MARK: - Differences

    @Test func tellsWhatChanged() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        fixture.file("same", unusedFor: .days(3))
        fixture.file("gone")
        let old = fixture.make().plan(.all)
        var later = Fixture(areas: [Fixture.area("", .cache)])
        later.file("same", size: 8192, unusedFor: .days(2)) {
            $0.mark = Mark(purgeClass: .lastResort)
        }
        later.file("new")
        let difference = PlanDifference(from: old, to: later.make().plan(.all))
        #expect(difference.added.map(\.path) == ["/r/new"])
        #expect(difference.removed.map(\.path) == ["/r/gone"])
        #expect(
            difference.changed.map { $0.reasons.map(\.code.description) } == [
                ["class", "bytes", "last-use"]
            ])
        #expect(difference.frees == ByteCount(4096))
        #expect(PlanDifference(from: old, to: old).isEmpty)
    }
}
