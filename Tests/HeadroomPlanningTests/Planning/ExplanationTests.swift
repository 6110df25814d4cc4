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

@Suite struct ExplanationTests {
    private func explain(
        _ fixture: Fixture, _ path: String, inUse: (FileIdentity) -> Reason? = { _ in nil }
    ) -> Explanation {
        let request = PlanRequest(targets: [], now: Fixture.now, user: Fixture.user)
        return Explainer(fixture.make(), request).explain(FilePath("/r/\(path)"), inUse: inUse)
    }

    private func code(_ explanation: Explanation) -> Reason.Code? {
        if case .never(let reason) = explanation.outlook { return reason.code }
        return nil
    }

    @Test(.tags(.r18a, .r18d)) func saysThePlaceInTheOrder() {
        var fixture = Fixture(areas: [Fixture.area("t", .temporary), Fixture.area("c", .cache)])
        fixture.file("t/a", size: 1_000_000)
        for day in 1...12 { fixture.file("c/\(day)", size: 200_000, unusedFor: .days(Int64(day))) }
        let explanation = explain(fixture, "c/10") { _ in Reason(.leased, "leased") }
        #expect(
            explanation.place.map { [$0.position, $0.count, Int($0.bytesBefore.bytes)] }
                == [3, 12, 1_400_000])
        #expect(explanation.outlook == .notNow(Reason(.leased, "leased")))
        #expect(explanation.classOrigin == .area)
        #expect(explanation.inUse?.code == .leased)
        #expect(explanation.summary.hasPrefix("cache, 3rd of 12; would go after 1.40 MB"))
        #expect(explain(fixture, "c/10").outlook == .pressure(.warning))
    }

    @Test(.tags(.r18a)) func saysWhenItExpires() {
        var fixture = Fixture(areas: [Fixture.area("", .cache, retention: .days(30))])
        fixture.file("young", unusedFor: .days(10))
        fixture.file("old", unusedFor: .days(31))
        #expect(explain(fixture, "young").outlook == .expires(in: .days(20)))
        #expect(explain(fixture, "old").outlook == .expired)
    }

    @Test(.tags(.r18b)) func saysWhyItNeverGoes() {
        var fixture = Fixture(areas: [
            Fixture.area("c", .cache), Fixture.area("e", .essential),
            Fixture.area("u", .cache, unit: .entry),
        ])
        fixture.file("c/pinned") { $0.mark = Mark(isPinned: true) }
        fixture.file("c/fifo") { $0.type = .fifo }
        fixture.file("e/a")
        fixture.file("out/a")
        fixture.file("u/unit/a")
        fixture.file("u/unit/b") { $0.mark = Mark(isPinned: true) }
        #expect(code(explain(fixture, "c/pinned")) == .pinned)
        #expect(code(explain(fixture, "c/fifo")) == .special)
        #expect(code(explain(fixture, "e/a")) == .essential)
        #expect(code(explain(fixture, "out/a")) == .essential)
        #expect(code(explain(fixture, "u/unit/a")) == .pinned)
        #expect(code(explain(fixture, "c/missing")) == .vanished)
        #expect(code(explain(fixture, "nowhere/at/all")) == .essential)
    }

    @Test(.tags(.r18c)) func saysWhatGoesAlong() {
        var fixture = Fixture(areas: [
            Fixture.area("c", .cache), Fixture.area("u", .cache, unit: .entry),
        ])
        fixture.file("c/x.db")
        fixture.file("c/x.db-wal")
        fixture.file("u/unit/deep/a")
        fixture.file("c/one")
        fixture.link("c/two", to: "c/one")
        let sidecar = explain(fixture, "c/x.db-wal")
        #expect(sidecar.subject == .fileSet)
        #expect(sidecar.goesWith == "/r/c/x.db")
        #expect(sidecar.frees == ByteCount(8192))
        let member = explain(fixture, "u/unit/deep/a")
        #expect(member.subject == .memberOfUnit)
        #expect(member.goesWith == "/r/u/unit")
        #expect(explain(fixture, "u/unit").subject == .directoryUnit)
        #expect(explain(fixture, "c").outlook == .itemByItem)
        #expect(explain(fixture, "c/one").frees == .zero)
    }

    /// As a purge has it: what by its name alone belongs to a marked file stays, and keeps that one.
    @Test(.tags(.s1d, .r18c)) func saysOfASidecarWhatBecomesOfIt() throws {
        var fixture = Fixture(areas: [Fixture.area("", .essential)])
        fixture.file("trip") { $0.mark = Mark(purgeClass: .cache) }
        fixture.file("trip-journal")
        let other = explain(fixture, "trip-journal")
        #expect(other.purgeClass == .essential && other.classOrigin == .area)
        #expect(code(other) == .essential)
        let main = explain(fixture, "trip")
        #expect(code(main) == .unitBusy)
        #expect(main.summary.contains("never goes: trip-journal has to stay"))

        let inventory = fixture.make()
        let number = try #require(inventory.item(at: "/r/trip")).number
        let explainer = Explainer(
            inventory.with(databases: [number]),
            PlanRequest(targets: [], now: Fixture.now, user: Fixture.user))
        for path in ["/r/trip", "/r/trip-journal"] as [FilePath] {
            let explanation = explainer.explain(path)
            #expect(explanation.subject == .fileSet)
            #expect(explanation.purgeClass == .cache && explanation.classOrigin == .mark)
            #expect(explanation.outlook == .pressure(.warning))
        }
        #expect(explainer.explain("/r/trip-journal").goesWith == "/r/trip")
    }

    @Test(.tags(.r18d)) func saysHowTheLastUseIsKnown() {
        var fixture = Fixture(areas: [Fixture.area("", .cache)])
        let now = UInt32(Fixture.now.seconds)
        fixture.file("read") { $0.accessed = now }
        fixture.file("made") { $0.created = now }
        fixture.file("written") { $0.modified = now }
        #expect(explain(fixture, "read").lastUseOrigin == .read)
        #expect(explain(fixture, "made").lastUseOrigin == .created)
        #expect(explain(fixture, "written").lastUseOrigin == .modified)
    }

    // MARK: - Simulation

    private func simulate(available: Int64, caches: Int64 = 150) -> Simulation {
        var fixture = Fixture(areas: [
            Fixture.area("t", .temporary), Fixture.area("c", .cache, retention: .days(30)),
            Fixture.area("l", .lastResort),
        ])
        fixture.file("t/a", size: 20)
        fixture.file("c/old", size: 40, unusedFor: .days(40))
        fixture.file("c/new", size: caches)
        fixture.file("l/a", size: 400)
        let request = PlanRequest(
            targets: [], now: Fixture.now, volume: .fixture(total: 1_000, available: 1_000),
            user: Fixture.user)
        return Simulation(
            fixture.make(), ifAvailable: ByteCount(available), request: request)
    }

    @Test(.tags(.r39a)) func levelsSpendWhatTheyMay() {
        let normal = simulate(available: 500)
        #expect(normal.level == .normal)
        #expect(normal.plan.itemPaths == ["c/old"])
        let warning = simulate(available: 90)
        #expect(warning.level == .warning)
        #expect(warning.shortage == ByteCount(110))
        #expect(warning.plan.itemPaths == ["t/a", "c/old", "c/new"])
        #expect(warning.perClass.map(\.purgeClass).prefix(2) == [.temporary, .cache])
        let critical = simulate(available: 0)
        #expect(critical.level == .critical)
        #expect(critical.shortage == ByteCount(100))
    }

    /// Where all the others are too little.
    @Test(.tags(.r39a)) func onlyCriticalSpendsTheLastResort() {
        let warning = simulate(available: 90, caches: 20)
        #expect(warning.shortage == ByteCount(110))
        #expect(warning.plan.itemPaths == ["t/a", "c/old", "c/new"])
        let critical = simulate(available: 0, caches: 20)
        #expect(critical.shortage == ByteCount(100))
        #expect(critical.plan.itemPaths == ["t/a", "c/old", "c/new", "l/a"])
    }

    @Test func aHopelessCaseSpendsTemporaryOnly() {
        var fixture = Fixture(areas: [Fixture.area("t", .temporary), Fixture.area("c", .cache)])
        fixture.file("t/a", size: 10)
        fixture.file("c/a", size: 10)
        let request = PlanRequest(
            targets: [], now: Fixture.now, volume: .fixture(total: 1_000, available: 0),
            user: Fixture.user)
        let simulation = Simulation(
            fixture.make(), ifAvailable: ByteCount(90), request: request)
        #expect(simulation.isHopeless)
        #expect(simulation.plan.itemPaths == ["t/a"])
    }
}
