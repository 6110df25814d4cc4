//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// Why something is to be written, and so what may be spent for it.
public enum Intent: String, Hashable, Sendable, CaseIterable {
    /// Irreplaceable: always attempted. May spend temporary, cache and last resort.
    case essential
    /// The person asked for it, and it can be had again. May spend temporary and cache.
    case requested
    /// Nobody would miss it. May spend temporary, and of caches what is expired or over its limit.
    case optional

    /// The last class that may be spent.
    public var through: PurgeableClass {
        // mutation: r7a-1
        self == .essential ? .lastResort : .cache
    }

    /// What has to stay free beside what is written: for optional the warning threshold, for
    /// requested the critical one, for essential nothing.
    ///
    /// - Parameter total: the size of the volume.
    public func reserve(
        of total: ByteCount, thresholds: PressureThresholds = .standard
    ) -> ByteCount {
        switch self {
        case .essential: .zero
        case .requested: thresholds.critical.bytes(of: total)
        case .optional: thresholds.warning.bytes(of: total)
        }
    }
}
