//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// What a ``PressureWatch`` knows of one place.
struct PressureLane {
    let place: PressureMonitor.Place
    var gauge: PressureGauge
    var polled: PolledVolume?
    /// When everything was asked that seldom changes: what is mounted there, and quotas.
    var lookedAt: Duration?
    var lastRead: Timestamp?
    /// Another place is on the same volume, and read instead.
    var isDouble = false
    /// The pause until the next reading.
    var pause: Task<Void, Never>?
    /// The next reading is wanted at once.
    var isUrged = false
    /// Those who wait for the next reading to be over.
    var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ place: PressureMonitor.Place) {
        self.place = place
        gauge = PressureGauge(settings: place.settings)
    }

    var pressure: VolumePressure {
        VolumePressure(
            mountPoint: polled?.volume.mountPoint ?? place.path, gauge: gauge,
            lastRead: lastRead)
    }
}
