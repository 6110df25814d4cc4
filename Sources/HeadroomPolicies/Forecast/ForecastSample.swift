//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What was available on a volume at one time; of these a history is made.
public struct ForecastSample: Hashable, Sendable {
    /// By the wall clock: a history outlives the start of a system.
    public var time: Timestamp
    public var available: ByteCount
    public var total: ByteCount
    /// Nil where they are not limited.
    public var availableInodes: UInt64?
    public var inodes: UInt64?

    public init(
        time: Timestamp, available: ByteCount, total: ByteCount, availableInodes: UInt64? = nil,
        inodes: UInt64? = nil
    ) {
        self.time = time
        self.available = available
        self.total = total
        self.availableInodes = availableInodes
        self.inodes = inodes
    }

    /// What a volume said when its pressure was read.
    public init(_ figures: PressureReading.Figures, at time: Timestamp) {
        self.init(
            time: time, available: figures.available, total: figures.total,
            availableInodes: figures.availableInodes, inodes: figures.inodes)
    }
}
