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

@Suite("R20: a store on a volume that is low on space")
struct StorePressureTests {
    @Test func itGivesBackWhatTheVolumeLacks() throws {
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
        // Critical: all that may go goes, and of the last resort what is missing to the threshold.
        volume.available.withLock { $0 = 100_000 }
        fixture.pass(.seconds(60))
        try store.put([1], "next")
        #expect([left(0), left(1)] == [0, 0])
        #expect(left(2) >= 80)
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
