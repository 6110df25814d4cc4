//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R20: a store on a volume that is low on space")
struct StorePressureTests {
    @Test(.tags(.r20g)) func itGivesBackWhatTheVolumeLacks() throws {
        let volume = FakeVolume()
        let fixture = try StoreFixture(volume: volume)
        let store = try fixture.open(limit: 40 << 20)
        let classes: [PurgeableClass] = [.temporary, .cache, .lastResort]
        for number in 0..<300 {
            try store.put(
                StoreFixture.value(70_000), "key-\(number)",
                CacheAttributes(as: classes[number % 3]))
            fixture.pass(.milliseconds(10))
        }
        func left(_ remainder: Int) -> Int {
            (0..<300).filter { $0 % 3 == remainder && store.contains("key-\($0)") }.count
        }
        #expect([left(0), left(1), left(2)] == [100, 100, 100])
        // 100 MB, of which 11 are to be there: 12.5 for the level to be left.
        volume.available.withLock { $0 = 9_500_000 }
        fixture.pass(.seconds(60))
        try store.put([1], "next")
        // What is missing, and no more.
        #expect((54...61).contains(left(0)), "\(left(0))")
        #expect([left(1), left(2)] == [100, 100])
        // Critical: all else that may go goes, which is enough for the last resort to stay.
        volume.available.withLock { $0 = 100_000 }
        fixture.pass(.seconds(60))
        try store.put([1], "next")
        #expect([left(0), left(1)] == [0, 0])
        #expect(left(2) >= 95, "\(left(2))")
        // Nothing else is left: of the last resort what is missing to the threshold, 4.9 MB.
        fixture.pass(.seconds(60))
        try store.put([1], "next")
        #expect((20...60).contains(left(2)), "\(left(2))")
    }

    /// What others put while a store gives bytes back is not taken for what has not gone yet.
    @Test(arguments: [10_000, 70_000])
    func othersPutMeanwhile(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let others = Mutex<StoreCore?>(nil)
        let store = try fixture.open(
            heedsPressure: false,
            step: { step in
                guard step == .evicted, let other = others.withLock({ $0.take() }) else { return }
                for number in 0..<200 {
                    try? other.put(StoreFixture.value(length), "other-\(number)")
                }
            })
        let other = try fixture.open(heedsPressure: false)
        for number in 0..<300 {
            try store.put(StoreFixture.value(length), "key-\(number)")
            fixture.pass(.milliseconds(100))
        }
        let before = try fixture.occupied()
        others.withLock { $0 = other }
        let wanted = 300 * length / 4
        let given = store.shrink(by: Int64(wanted))
        #expect(given >= wanted)
        // In segments some go for those that are moved.
        #expect((70...(length < 65_536 ? 110 : 80)).contains(store.statistics.evictions))
        try other.flush()
        let put = (length + 4095 + 500) & ~4095
        #expect(try fixture.occupied() <= before - wanted + 200 * put + 2 << 20)
        for number in 0..<200 {
            #expect(try store.get("other-\(number)") == StoreFixture.value(length))
        }
    }

    /// The volume is asked on after the clock was set back, and not when it comes to be as late again.
    @Test(arguments: [Duration.seconds(3600), .seconds(20 * 86400), .seconds(365 * 86400)])
    func itAsksTheVolumeThoughTheClockIsSetBack(back: Duration) throws {
        let volume = FakeVolume()
        let fixture = try StoreFixture(volume: volume)
        let store = try fixture.open(limit: 40 << 20)
        for number in 0..<100 { try store.put(StoreFixture.value(70_000), "key-\(number)") }
        fixture.pass(.zero - back)
        volume.available.withLock { $0 = 9_500_000 }
        try store.put([1], "next")
        #expect(store.statistics.evictions > 30)
    }

    @Test func whatIsOptionalIsNotTaken() throws {
        let volume = FakeVolume()
        let fixture = try StoreFixture(volume: volume)
        let store = try fixture.open(limit: 40 << 20)
        try store.put([1], "early", CacheAttributes(isOptional: true))
        volume.available.withLock { $0 = 9_000_000 }
        fixture.pass(.seconds(60))
        let error = #expect(throws: HeadroomError.self) {
            try store.put([1], "late", CacheAttributes(isOptional: true))
        }
        #expect(error?.code == .noSpace)
        #expect(error?.message.contains("optional") == true)
        // Nor bit by bit, which may become large.
        #expect(throws: HeadroomError.self) {
            _ = try store.write("late", CacheAttributes(isOptional: true))
        }
        try store.put([1], "needed")
        volume.available.withLock { $0 = 90_000_000 }
        fixture.pass(.seconds(60))
        try store.put([1], "late", CacheAttributes(isOptional: true))
        #expect(try store.get("late") == [1])
    }

    @Test(.enabled(if: Privilege.canMount, "needs root with a mount namespace"))
    func onAFullVolumeItEvictsAndTriesAgain() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(3))
        let fixture = try StoreFixture(on: .at(image.path))
        let store = try fixture.open(limit: 64 << 20, heedsPressure: false)
        for number in 0..<400 {
            let length = number % 7 == 0 ? 70_000 : 9000
            let value = StoreFixture.value(length, seed: UInt8(number & 255))
            try store.put(value, "key-\(number)")
            #expect(try store.get("key-\(number)") == value)
        }
        #expect(store.statistics.evictions > 50)
        // Larger than all that there is.
        let error = #expect(throws: HeadroomError.self) {
            try store.put(StoreFixture.value(4 << 20), "too large")
        }
        #expect(error?.code == .noSpace)
        try store.put([1], "small")
        #expect(try store.get("small") == [1])
    }

    /// What frees most at once on a full volume is a segment with all that is in it.
    @Test(.enabled(if: Privilege.canMount, "needs root with a mount namespace"))
    func onAFullVolumeWhatAnotherProcessHasPinnedStays() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(3))
        let fixture = try StoreFixture(on: .at(image.path))
        let first = try fixture.open(limit: 64 << 20, heedsPressure: false)
        try first.put(StoreFixture.value(1000), "pinned")
        // In a segment of its own, which nobody writes to any more.
        try first.close()
        let second = try fixture.open(limit: 64 << 20, heedsPressure: false)
        func fill() throws {
            for number in 0..<500 { try second.put(StoreFixture.value(9000), "key-\(number)") }
        }
        do {
            let pin = try #require(try first.pin("pinned"))
            try fill()
            #expect(second.statistics.evictions > 100)
            #expect(try first.get("pinned") == StoreFixture.value(1000))
            #expect(try second.get("pinned") == StoreFixture.value(1000))
            _ = pin
        }
        try fill()
        #expect(try second.get("pinned") == nil)
    }
}

/// A volume of 100 MB that has what a test says.
final class FakeVolume: Sendable {
    let available = Mutex<Int64>(90_000_000)

    var figures: VolumeFigures {
        let available = ByteCount(available.withLock { $0 })
        return VolumeFigures(
            fileSystemID: 1, total: ByteCount(100_000_000), free: available, available: available,
            inodes: nil, availableInodes: nil, isReadOnly: false)
    }
}
