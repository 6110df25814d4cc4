//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension Storage {
    /// How short of space the volumes are that this storage lies on.
    ///
    ///     for await change in storage.pressure {
    ///         if change.isWorse { player.dropPrefetched() }
    ///     }
    ///
    /// All copies of this storage share its readings. For other volumes, and other thresholds or
    /// intervals, make a ``PressureMonitor``.
    public var pressure: PressureMonitor { core.pressure }
}
