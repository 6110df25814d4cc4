//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("R23: calls that hang among many", .timeLimit(.minutes(10)))
struct HangingSeriesTests {
    @Test func answersStandInTheOrderOfTheKeys() {
        let hanging = Hanging<String>()
        let keys = (0..<100).map { "\($0)" }
        let values = hanging.values(of: keys, within: .seconds(60)) { keys[$0] }
        let found = values.compactMap { try? $0.get() }
        #expect(found == keys)
        let none = hanging.values(of: [], within: .seconds(60)) { $0 }
        #expect(none.isEmpty)
    }

    @Test("Waits beyond the limit for a call that computes, and not for one that is blocked")
    func tellsBusyFromBlocked() throws {
        let (hanging, gate) = (Hanging<String>(), ThreadGate())
        defer { gate.open() }
        let values = hanging.values(of: ["busy", "blocked"], within: .milliseconds(20)) { key in
            if key == 1 { return gate.wait() }
            let end = ContinuousClock.now.advanced(by: .milliseconds(400))
            while ContinuousClock.now < end {}
        }
        #expect((try? values[0].get()) != nil)
        #expect(throws: Errno.timedOut) { try values[1].get() }
        // A pipe instead of a lock.
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let call = try LimitedCall {
            var byte: UInt8 = 0
            return unsafe read(reading, &byte, 1)
        }
        #expect(call.wait(until: .now.advanced(by: .milliseconds(20))) == nil)
        _ = close(writing)
        #expect(call.wait(until: .now.advanced(by: .seconds(20))) == 0)
        _ = close(reading)
    }

    @Test(.tags(.r23c)) func whatHangsIsAskedOnceAndHoldsUpNoneOfTheRest() {
        let (hanging, gate, calls) = (Hanging<Int>(), ThreadGate(), CallCount())
        let keys = Array(0..<20)
        let hung: Set<Int> = [1, 2, 3, 5, 8, 13, 14, 15, 16, 17, 18]
        func ask() -> [Result<Int, Errno>] {
            hanging.values(of: keys, within: .milliseconds(500)) { key in
                if hung.contains(key) {
                    calls.add()
                    gate.wait()
                }
                return key
            }
        }
        let first = ask()
        for key in keys {
            let expected: Result<Int, Errno> =
                hung.contains(key) ? .failure(.timedOut) : .success(key)
            #expect(first[key] == expected)
        }
        #expect(calls.count == hung.count)
        // Nothing is waited for: they are known to hang.
        #expect(ask() == first)
        #expect(calls.count == hung.count)
        gate.open()
        let all: [Result<Int, Errno>] = keys.map { .success($0) }
        while ask() != all {}
    }
}

private final class CallCount: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.wrappingAdd(1, ordering: .relaxed) }
}
