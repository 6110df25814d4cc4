//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage
import Testing

struct AutomationNoticeTests {
    private func notices(_ event: AutomationEvent, mode: ServiceMode = .act) -> [Notice] {
        event.notices(mode: mode, at: Events.start)
    }

    @Test func tellsOfAPlightInBytesAndInInodes() throws {
        let bytes = try #require(notices(Events.plight(.bytes)).first)
        #expect(bytes.kind == .cannotHelp)
        #expect(bytes.urgency == .high)
        #expect(bytes.volume == "/data")
        #expect(bytes.level == .critical)
        #expect(
            bytes.figures == [
                "availableBytes": 10, "missingBytes": 90, "targetBytes": 100, "eligibleBytes": 3,
            ])
        #expect(bytes.text.contains("Free space by hand"))
        let inodes = try #require(notices(Events.plight(.inodes, isReminder: true)).first)
        #expect(inodes.figures["missingInodes"] == 90)
        // One does not hold back the other.
        var limiter = NoticeLimiter(interval: .seconds(3_600))
        let admitsBytes = limiter.admits(bytes, at: .zero)
        let admitsInodes = limiter.admits(inodes, at: .zero)
        #expect(admitsBytes && admitsInodes)
    }

    @Test func tellsThatAPlightIsOver() throws {
        let notice = try #require(notices(.relieved("/data")).first)
        #expect(notice.volume == "/data")
        #expect(notice.urgency == .low)
    }

    @Test func tellsOfAMissedTargetUnlessThePlightDoes() throws {
        let missed = try #require(notices(.ended(Events.purge(missing: 9))).first)
        #expect(missed.kind == .missed)
        #expect(missed.figures["missingBytes"] == 9)
        #expect(missed.text.contains("missing to the target"))
        let plight = PolicyPlight(volume: "/data", need: Events.need(.bytes), eligible: 3)
        #expect(notices(.ended(Events.purge(missing: 9, plights: [plight]))).isEmpty)
        #expect(notices(.ended(Events.purge(missing: 0))).isEmpty)
    }

    @Test func asksAPersonOnlyWhereOneIsToBeAsked() throws {
        var proposed = Events.purge(missing: 0)
        proposed.outcome = .proposed
        proposed.receipt = nil
        proposed.plannedItems = 3
        #expect(notices(.ended(proposed), mode: .ask).map(\.kind) == [.confirmation])
        #expect(notices(.ended(proposed), mode: .observe).isEmpty)
        proposed.plannedItems = 0
        #expect(notices(.ended(proposed), mode: .ask).isEmpty)
    }

    @Test func tellsOfAPurgeThatFailed() throws {
        var failed = Events.purge(missing: 0)
        failed.outcome = .failed("The ledger is full.")
        let notice = try #require(notices(.ended(failed)).first)
        #expect(notice.kind == .service)
        #expect(notice.text == "The ledger is full.")
    }

    @Test func tellsOfModulesInTrouble() async throws {
        let good = try #require(await Events.modules())
        #expect(notices(.modules(good)).isEmpty)
        let bad = try #require(await Events.modules(fails: true))
        let notice = try #require(notices(.modules(bad)).first)
        #expect(notice.subject == "com.example.mail")
        #expect(notice.text.contains("The mail is locked."))
    }

    @Test func tellsOfTroubleAndOfNothingElse() {
        #expect(notices(.trouble("It broke.")).map(\.text) == ["It broke."])
        #expect(notices(.watching("/data")).isEmpty)
        #expect(notices(Events.read(available: .zero)).isEmpty)
        #expect(notices(.withheld(["/a"])).isEmpty)
    }
}
