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

struct VolumeCapacityTests {
    private func volume(
        total: ByteCount, available: ByteCount, quota: ByteCount? = nil, inodes: UInt64? = nil,
        availableInodes: UInt64? = nil, isReadOnly: Bool = false, isPseudo: Bool = false
    ) -> Volume {
        var volume = Volume(
            mount: Mount(
                id: 1, device: 1, root: "/", point: "/", type: isPseudo ? "proc" : "ext4",
                source: "x", isReadOnly: isReadOnly, isNoatime: false))
        volume.figures = VolumeFigures(
            fileSystemID: 1, total: total, free: available, available: available, inodes: inodes,
            availableInodes: availableInodes, isReadOnly: isReadOnly)
        volume.quotaBytes = quota
        return volume
    }

    private let purgeable = VolumeCapacity.Purgeable(
        temporary: .gigabytes(1), cache: .gigabytes(10), lastResort: .gigabytes(3),
        expiredOrOverLimitCache: .gigabytes(4), measured: Timestamp(seconds: 100))

    @Test func computesFromAnInventory() {
        let capacity = VolumeCapacity(
            of: volume(total: .gigabytes(1000), available: .gigabytes(20)), purgeable: purgeable,
            now: Timestamp(seconds: 160))
        #expect(capacity.available == .init(.gigabytes(20), .system))
        #expect(capacity.forImportantUsage == .init(.gigabytes(34), .computed))
        let reserve = ByteCount.gibibytes(8)
        #expect(capacity.forOpportunisticUsage == .init(.gigabytes(25) - reserve, .computed))
        #expect(capacity.inventoryAge == .seconds(60))
    }

    @Test(.tags(.r5c)) func saysSoWithoutAnInventory() {
        let capacity = VolumeCapacity(of: volume(total: .gigabytes(100), available: .gigabytes(5)))
        #expect(capacity.forImportantUsage == .init(.gigabytes(5), .fallback))
        #expect(capacity.forOpportunisticUsage == .init(.zero, .fallback))
        #expect(capacity.inventoryAge == nil)
    }

    @Test(.tags(.r5d)) func subtractsReservationsAndQuotas() {
        let capacity = VolumeCapacity(
            of: volume(total: .gigabytes(1000), available: .gigabytes(20), quota: .gigabytes(3)),
            reserved: .gigabytes(1))
        #expect(capacity.available == .init(.gigabytes(2), .computed))
        let none = VolumeCapacity(
            of: volume(total: .gigabytes(1000), available: .gigabytes(1)), reserved: .gigabytes(5))
        #expect(none.available.bytes == .zero)
    }

    @Test(.tags(.r5b)) func keepsOpportunisticWithinImportantAndImportantWithinTotal() {
        let capacity = VolumeCapacity(
            of: volume(total: .gigabytes(10), available: .gigabytes(9)), purgeable: purgeable)
        #expect(capacity.forImportantUsage.bytes == .gigabytes(10))
        let opportunistic = capacity.forOpportunisticUsage.bytes
        #expect(opportunistic == .gigabytes(10))
    }

    @Test(.tags(.r5c)) func missingIsUnknownAndNeverZero() {
        var silent = volume(total: .gigabytes(10), available: .gigabytes(9))
        silent.figures = nil
        silent.error = .timedOut
        let capacity = VolumeCapacity(of: silent, purgeable: purgeable)
        for figure in [
            capacity.total, capacity.available, capacity.forImportantUsage,
            capacity.forOpportunisticUsage,
        ] {
            #expect(figure == .init(nil, .unknown))
        }
        #expect(silent.isHanging)
    }

    @Test(
        .tags(.r23a),
        arguments: [
            // total, available, level: 10 % and 5 % of a small volume, 8 and 2 GiB of a large one.
            (ByteCount.gibibytes(10), ByteCount.mebibytes(1025), PressureLevel.normal),
            (.gibibytes(10), .mebibytes(1023), .warning),
            (.gibibytes(10), .mebibytes(511), .critical),
            (.gibibytes(1000), .gibibytes(8), .normal),
            (.gibibytes(1000), .gibibytes(8) - ByteCount(1), .warning),
            (.gibibytes(1000), .gibibytes(2), .warning),
            (.gibibytes(1000), .gibibytes(2) - ByteCount(1), .critical),
        ])
    func tellsTheLevelOfOneReading(total: ByteCount, available: ByteCount, level: PressureLevel) {
        let reading = volume(total: total, available: available)
        #expect(PressureThresholds.standard.level(of: reading) == level)
    }

    @Test(
        .tags(.r23a),
        arguments: [(UInt64(11), PressureLevel.normal), (9, .warning), (4, .critical)])
    func countsInodesToo(available: UInt64, level: PressureLevel) {
        let reading = volume(
            total: .gibibytes(1000), available: .gibibytes(900), inodes: 100,
            availableInodes: available)
        #expect(PressureThresholds.standard.level(of: reading) == level)
    }

    @Test func knowsNoLevelWhereNothingCanBeWritten() {
        let thresholds = PressureThresholds.standard
        #expect(
            thresholds.level(of: volume(total: .zero, available: .zero, isPseudo: true)) == nil)
        #expect(
            thresholds.level(
                of: volume(total: .gigabytes(1), available: .zero, isReadOnly: true)) == nil)
    }

    @Test func leavesALevelAboveItsThreshold() {
        let thresholds = PressureThresholds.standard
        #expect(thresholds.normal(of: .gibibytes(1000)) == .gibibytes(10))
        #expect(thresholds.normal(ofInodes: 1000) == 125)
        var odd = thresholds
        odd.warning.share = .nan
        #expect(odd.warning.bytes(of: .gigabytes(1)) == .zero)
        odd.warning = .init(share: .infinity, limit: nil)
        #expect(odd.warning.bytes(of: .gigabytes(1)) == ByteCount(.max))
    }
}
