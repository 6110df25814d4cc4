//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import SystemPackage
import Testing

/// R5 on Apple platforms: the system's values, and what stands for them when it has none.
@Suite("R5: the system's own capacities")
struct SystemCapacityTests {
    private static let available = ByteCount.gigabytes(20)

    private var volume: Volume {
        var volume = Volume(
            mount: Mount(
                id: 0, device: 1, root: "/", point: "/", type: "apfs", source: "disk3s5",
                isReadOnly: false, isNoatime: false))
        volume.figures = VolumeFigures(
            fileSystemID: 1, total: .gigabytes(1000), free: Self.available,
            available: Self.available, inodes: nil, availableInodes: nil, isReadOnly: false)
        return volume
    }

    private func capacity(
        important: ByteCount?, opportunistic: ByteCount?, reserved: ByteCount = .zero
    ) -> VolumeCapacity {
        VolumeCapacity(
            of: volume,
            system: SystemCapacity(
                important: important?.bytes, opportunistic: opportunistic?.bytes),
            reserved: reserved)
    }

    @Test(.tags(.r5g)) func takesTheSystemsValues() {
        let capacity = capacity(important: .gigabytes(132), opportunistic: .gigabytes(56))
        #expect(capacity.available == .init(Self.available, .system))
        #expect(capacity.forImportantUsage == .init(.gigabytes(132), .system))
        #expect(capacity.forOpportunisticUsage == .init(.gigabytes(56), .system))
    }

    /// On volumes that are not APFS, and where nobody is logged in, it says 0 and means nothing.
    @Test(.tags(.r5g), arguments: [ByteCount.zero, nil])
    func fallsBackWhereTheSystemKnowsNothing(nothing: ByteCount?) {
        let capacity = capacity(important: nothing, opportunistic: nothing)
        #expect(capacity.forImportantUsage == .init(Self.available, .fallback))
        #expect(capacity.forOpportunisticUsage == .init(Self.available, .fallback))
    }

    /// For what nobody asked for there may be no room at all.
    @Test func keepsAnOpportunisticZeroWhereTheSystemKnows() {
        let capacity = capacity(important: .gigabytes(25), opportunistic: .zero)
        #expect(capacity.forOpportunisticUsage == .init(.zero, .system))
    }

    /// Nothing says that the system never gives more.
    @Test(.tags(.r5g)) func clampsOpportunisticToImportant() {
        let system = capacity(important: .gigabytes(21), opportunistic: .gigabytes(30))
        #expect(system.forOpportunisticUsage == .init(.gigabytes(21), .computed))
        // The fallback too.
        let odd = capacity(important: .gigabytes(5), opportunistic: nil)
        #expect(odd.forOpportunisticUsage == .init(.gigabytes(5), .computed))
    }

    @Test func takesWhatIsReservedFromAll() {
        let capacity = capacity(
            important: .gigabytes(132), opportunistic: .gigabytes(2), reserved: .gigabytes(3))
        #expect(capacity.available == .init(.gigabytes(17), .computed))
        #expect(capacity.forImportantUsage == .init(.gigabytes(129), .computed))
        #expect(capacity.forOpportunisticUsage == .init(.zero, .computed))
    }

    @Test func knowsNothingOfAVolumeThatDoesNotAnswer() {
        var silent = volume
        silent.figures = nil
        let capacity = VolumeCapacity(
            of: silent, system: SystemCapacity(important: 5_000, opportunistic: 1_000))
        #expect(capacity.forImportantUsage == .init(nil, .unknown))
    }
}
