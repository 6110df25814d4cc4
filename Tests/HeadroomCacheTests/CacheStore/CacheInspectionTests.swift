//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomTestSupport
import SystemPackage
import Testing

/// What is said of a store, also while an app is at work in it.
@Suite("R20: inspecting a store")
struct CacheInspectionTests {
    private let fixture: StoreFixture
    private var path: FilePath { fixture.directory.path.appending("store") }

    init() throws { fixture = try StoreFixture(on: .memory) }

    private func verify(during body: @escaping @Sendable () -> Void = {}) throws -> CacheInspection
    {
        let once = Once()
        once.set(body)
        let inspection = try CacheInspection(of: path, verifying: true) { _, _, _ in
            once.run()
            return true
        }
        #expect(once.hasRun && inspection.isVerified)
        return inspection
    }

    /// The log is told of 256 puts at once; files are gone before.
    @Test(arguments: [nil, 10])
    func whatIsReplacedOrEvictedIsNotLost(entryLimit: Int?) throws {
        let store = try fixture.open(limit: 16 << 20, entryLimit: entryLimit)
        store.finishSweeping()
        for number in 0..<10 { try store.put(StoreFixture.value(80_000), "\(number)") }
        try store.flush()
        #expect(try verify().problems == [])
        try store.put(StoreFixture.value(80_000, seed: 2), entryLimit == nil ? "3" : "new")
        #expect(try verify().problems == [])
        store.end()
        #expect(try verify().problems == [])
    }

    @Test func whatIsReplacedMeanwhileIsNotLost() throws {
        let store = try fixture.open(limit: 16 << 20)
        store.finishSweeping()
        for number in 0..<10 { try store.put(StoreFixture.value(80_000), "\(number)") }
        try store.flush()
        let inspection = try verify {
            try? store.put([3], "1")
            try? store.flush()
        }
        #expect(inspection.problems == [])
    }

    /// Their segments are moved together and removed.
    @Test func whatIsMovedMeanwhileIsReadWhereItIs() throws {
        let store = try fixture.open(limit: 16 << 20)
        store.finishSweeping()
        for number in 0..<100 { try store.put(StoreFixture.value(10_000), "\(number)") }
        try store.flush()
        let before = try fixture.names(".segment")
        let inspection = try verify {
            for number in 0..<100 where number % 4 != 0 { _ = try? store.remove("\(number)") }
            _ = try? CacheCompaction.compact(fixture.directory.path.appending("store"))
        }
        #expect(try Set(fixture.names(".segment")).isDisjoint(with: before.dropLast()))
        #expect(inspection.problems == [])
    }

    @Test(arguments: [true, false])
    func whatIsDamagedIsToldOf(isOpen: Bool) throws {
        let store = try fixture.open(limit: 16 << 20)
        store.finishSweeping()
        try store.put(StoreFixture.value(2_000_000), "large")
        try store.put(StoreFixture.value(1000), "small")
        try store.flush()
        if !isOpen { store.end() }
        let (file, segment) = (try fixture.names(".value")[0], try fixture.names(".segment")[0])
        try fixture.flip(file, at: 1_900_000)
        try fixture.flip(segment, at: 200)
        let problems = try verify().problems
        #expect(Set(problems.map(\.name)) == [file, segment])
        #expect(problems.allSatisfy { $0.kind == .damagedValue && $0.entries == 1 })
        try fixture.cut(file, to: 1000)
        #expect(try verify().problems == problems)
        withExtendedLifetime(store) {}
    }

    @Test func whatIsGoneIsLostOnceNobodyHasTheStoreOpen() throws {
        do {
            let store = try fixture.open(limit: 16 << 20)
            store.finishSweeping()
            try store.put(StoreFixture.value(100_000), "key")
            store.end()
        }
        try fixture.remove(try fixture.names(".value")[0])
        let problems = try verify().problems
        #expect(problems.map(\.kind) == [.missingFile])
        // Somebody may have removed it and not said so yet.
        let other = try fixture.open(limit: 16 << 20)
        let inspection = try verify()
        #expect(inspection.problems == [] && inspection.unsettled == 1)
        withExtendedLifetime(other) {}
    }
}
