//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Testing

/// Which of bytes and inodes holds a level.
struct PressureShareTests {
    private func reading(
        _ time: Int64, bytes: Int64, inodes: UInt64?
    ) -> PressureReading {
        PressureReading(
            time: .seconds(time),
            answer: .figures(
                PressureReading.Figures(
                    available: ByteCount(bytes), total: ByteCount(1_000),
                    availableInodes: inodes, inodes: inodes == nil ? nil : 1_000)))
    }

    @Test func rememberWhichHasCrossedUntilTheLevelIsLeft() {
        var gauge = PressureGauge()
        func expect(
            _ level: PressureLevel, _ bytes: PressureLevel, _ inodes: PressureLevel,
            _ comment: Comment
        ) {
            #expect(gauge.level == level, comment)
            #expect(gauge.bytesLevel == bytes, comment)
            #expect(gauge.inodesLevel == inodes, comment)
        }
        _ = gauge.take(reading(0, bytes: 900, inodes: 110))
        expect(.normal, .normal, .normal, "inodes are low, and not below a threshold")
        _ = gauge.take(reading(10, bytes: 40, inodes: 110))
        expect(.critical, .critical, .normal, "bytes are at critical alone")
        _ = gauge.take(reading(20, bytes: 90, inodes: 99))
        expect(.critical, .critical, .warning, "held by the bytes, though they are back")
        for time in 1...12 {
            _ = gauge.take(reading(20 + Int64(time) * 30, bytes: 90, inodes: 200))
        }
        expect(.warning, .warning, .warning, "critical was left, warning was crossed by both")
        for time in 1...12 {
            _ = gauge.take(reading(400 + Int64(time) * 30, bytes: 500, inodes: 200))
        }
        expect(.normal, .normal, .normal, "nothing is held any more")
    }

    @Test func inodesThatAreNotLimitedCrossNothing() {
        var gauge = PressureGauge()
        _ = gauge.take(reading(0, bytes: 10, inodes: nil))
        #expect(gauge.bytesLevel == .critical)
        #expect(gauge.inodesLevel == .normal)
    }
}
