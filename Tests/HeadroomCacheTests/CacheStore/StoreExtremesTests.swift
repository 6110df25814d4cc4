//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R20: a store from which very much goes, or damaged things")
struct StoreExtremesTests {
    /// Does something on another thread, and fails if that takes more than ten seconds.
    private func comesToAnEnd(
        _ body: @escaping @Sendable () -> Void, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let isDone = Atomic(false)
        let thread = try WorkerThread {
            body()
            isDone.store(true, ordering: .releasing)
        }
        guard Soon.holds({ isDone.load(ordering: .acquiring) }) else {
            thread.detach()
            Issue.record("no end", sourceLocation: location)
            return
        }
        thread.join()
    }

    /// There is nothing to be moved, and the segment is not removed either: the same one would be chosen for ever.
    @Test func givingBackComesToAnEndWithAPinOnWhatIsDamaged() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 4 << 20)
        store.finishSweeping()
        try store.put(StoreFixture.value(100), "pinned")
        let name = try #require(try fixture.names(".segment").first)
        let pin = try #require(try store.pin("pinned"))
        for number in 0..<15 { try store.put(StoreFixture.value(3000), "\(number)") }
        try fixture.flip(name, at: 0)
        try comesToAnEnd { store.shrink(by: 1 << 30) }
        withExtendedLifetime(pin) {}
    }

    /// A removal takes 16 bytes, and a record of the log has less than 16 MiB.
    @Test(.enabled(if: Privilege.isSoak, "long: HEADROOM_SOAK is not set"))
    func aMillionValuesMayGoAtOnce() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 512 << 20)
        store.finishSweeping()
        for number in 0..<1_060_000 { try store.put([1], "\(number)") }
        store.shrink(by: 1 << 40)
        #expect(store.statistics.entries == 0)
    }

    /// The same, by a tag.
    @Test(.enabled(if: Privilege.isSoak, "long: HEADROOM_SOAK is not set"))
    func aMillionValuesMayHaveOneTag() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 512 << 20)
        store.finishSweeping()
        let tagged = CacheAttributes(tags: ["t"])
        for number in 0..<1_060_000 { try store.put([1], "\(number)", tagged) }
        #expect(try store.removeAll(tagged: "t") == 1_060_000)
        #expect(store.statistics.entries == 0)
    }

    /// Others who want to put meanwhile are not kept waiting until all files are gone.
    @Test func allThatIsRemovedIsToldInPortions() throws {
        let fixture = try StoreFixture(on: .memory)
        let most = Atomic(0)
        let left = Atomic(900)
        let isArmed = Signal()
        let path = fixture.directory
        let store = try fixture.open(
            limit: 128 << 20,
            step: { step in
                guard step == .logAppended, isArmed.isSet else { return }
                let count =
                    (try? path.tree.names(in: "store").count { $0.text.hasSuffix(".value") })
                let before = left.exchange(count ?? 0, ordering: .acquiringAndReleasing)
                most.max(before - (count ?? 0), ordering: .acquiringAndReleasing)
            })
        store.finishSweeping()
        for number in 0..<900 { try store.put(StoreFixture.value(66_000), "\(number)") }
        #expect(try fixture.names(".value").count == 900)
        isArmed.set()
        try store.removeAll()
        #expect(try fixture.names(".value") == [])
        #expect(store.statistics.entries == 0)
        #expect(most.load(ordering: .acquiring) <= 300)
    }

    /// Something is found meanwhile that had not been counted.
    @Test func allThereIsMayBeAskedForWhileFilesAreLookedInto() throws {
        let fixture = try StoreFixture(on: .memory)
        let isArmed = Signal()
        let isListed = Signal()
        let gate = Gate()
        let store = try fixture.open(step: { step in
            guard step == .filesListed, isArmed.isSet else { return }
            if isListed.set() { gate.pass() }
        })
        store.finishSweeping()
        try store.put([1], "key")
        try store.close()
        isArmed.set()
        try fixture.remove("index.log")
        try store.flush()
        #expect(Soon.holds { isListed.isSet })
        do {
            let path = fixture.directory.path.appending("store")
            let file = try RegularFile(
                "0000000900000001.value", in: StateDirectory(opening: path), .replacing)
            try file.write([UInt8](repeating: 7, count: 100_000), at: 0)
        }
        store.shrink(by: .max)
        gate.open()
        store.finishSweeping()
        #expect(store.statistics.entries == 0)
    }
}

private final class Signal: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }

    @discardableResult
    func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}
