//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: what is put at once, and told in another order")
struct StoreOrderTests {
    /// A store in which something was done while a large value was being put, which has its place before that.
    private func store(
        in fixture: StoreFixture, havingDoneWhilePutting body: (StoreCore) throws -> Void
    ) throws -> StoreCore {
        let (once, gate) = (Once(), Gate())
        let store = try fixture.open(step: { step in if step == .fileMade { once.run() } })
        store.finishSweeping()
        once.set { gate.pass() }
        let slow = try WorkerThread { try? store.put(StoreFixture.value(100_000), "slow") }
        #expect(Soon.holds { once.hasRun })
        try body(store)
        gate.open()
        slow.join()
        return store
    }

    /// Of two files that are written at once the one with the larger number is told first.
    @Test func whatIsPutOutOfTurnIsKnownToWhoComes() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try store(in: fixture) { store in
            try store.put(StoreFixture.value(100_000), "fast")
            try store.flush()
        }
        // The other has not been told.
        let second = try fixture.open()
        #expect(try second.get("slow") != nil)
        #expect(try second.remove("slow"))
        try first.flush()
        #expect(try first.get("slow") == nil)
        #expect(try fixture.names(".value").count == 1)
    }

    /// The same where a snapshot has been written between the two.
    @Test(arguments: [false, true])
    func whatIsPutOutOfTurnOutlivesASnapshot(byTheOther: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try store(in: fixture) { store in
            for number in 0..<3000 { try store.put([1], "\(number)") }
            try store.put(StoreFixture.value(100_000), "fast")
            if byTheOther {
                try store.flush()
                let other = try fixture.open()
                try other.flush(compacting: true)
                other.end()
            } else {
                try store.flush(compacting: true)
            }
        }
        let second = try fixture.open()
        #expect(try second.get("slow") != nil)
        #expect(try second.get("2999") == [1])
        withExtendedLifetime(first) {}
    }

    /// What a snapshot says that does not come to be is not said.
    @Test func whatIsPutOutOfTurnOutlivesASnapshotThatFails() throws {
        let fixture = try StoreFixture(on: .memory)
        let (made, written) = (Once(), Once())
        let gate = Gate()
        let first = try fixture.open(step: { step in
            if step == .fileMade { made.run() }
            if step == .snapshotWritten { written.run() }
        })
        first.finishSweeping()
        for number in 0..<3000 { try first.put([1], "\(number)") }
        try first.flush()
        try first.put(StoreFixture.value(100_000), "zero")
        try first.flush()
        made.set { gate.pass() }
        let slow = try WorkerThread { try? first.put(StoreFixture.value(100_000), "slow") }
        #expect(Soon.holds { made.hasRun })
        written.set { try? fixture.remove("index.log.new") }
        try first.flush(compacting: true)
        #expect(written.hasRun)
        try first.put(StoreFixture.value(100_000), "fast")
        try first.flush()
        gate.open()
        slow.join()
        let second = try fixture.open()
        #expect(try second.get("slow") != nil)
        #expect(try second.remove("slow"))
        try first.flush()
        #expect(try first.get("slow") == nil)
    }

    /// Two threads put one key; the one that began first is entered last; somebody comes then.
    @Test(arguments: [false, true]) func ofTwoPutsAtOnceOneStays(isTold: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let (reserved, entered) = (Once(), Once())
        let (gate, other) = (Gate(), Gate())
        let first = try fixture.open(step: { step in
            if step == .recordReserved { reserved.run() }
            if step == .entered { entered.run() }
        })
        first.finishSweeping()
        try first.put([0], "warm")
        reserved.set { gate.pass() }
        let slow = try WorkerThread { try? first.put([1], "key") }
        #expect(Soon.holds { reserved.hasRun })
        try first.put([2], "key")
        entered.set { other.pass() }
        gate.open()
        #expect(Soon.holds { entered.hasRun })
        let second = try fixture.open()
        if isTold { try first.flush() }
        other.open()
        slow.join()
        #expect(try first.get("key") != nil)
        #expect(try second.get("key") != nil)
    }
}
