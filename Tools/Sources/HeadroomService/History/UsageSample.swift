//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
public import HeadroomPlatform

/// What an area or a module occupied at one time.
public struct UsageSample: Hashable, Sendable {
    /// By the wall clock.
    public var time: Timestamp
    public var bytes: ByteCount
    /// How many items; nil of modules, which do not say.
    public var items: Int?
    /// What of it might go; nil of modules, which do not say.
    public var purgeable: ByteCount?

    public init(
        time: Timestamp, bytes: ByteCount, items: Int? = nil, purgeable: ByteCount? = nil
    ) {
        self.time = time
        self.bytes = bytes
        self.items = items
        self.purgeable = purgeable
    }

    /// The samples that are kept: by their age as ``SampleThinning`` says, of each span the highest, which
    /// is what the lowest is of what a volume has available.
    static func thinned(_ samples: [UsageSample], now: Timestamp) -> [UsageSample] {
        let most = ByteCount(.max)
        let byTime = Dictionary(samples.map { ($0.time, $0) }, uniquingKeysWith: { $1 })
        let mirrored = samples.map {
            ForecastSample(time: $0.time, available: most - $0.bytes, total: most)
        }
        return SampleThinning.thinned(mirrored, now: now).compactMap { byTime[$0.time] }
    }
}
