//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What a receipt comes to, for charts and metrics; the ledger has the receipt itself.
public struct ReceiptSummary: Hashable, Sendable {
    /// The receipt's.
    public var id: String
    public var time: Timestamp
    /// What it was for: `levelChange`, `interval`, `byHand`, …
    public var trigger: String
    /// The mount point; empty where it was about several volumes.
    public var volume: String
    /// By the plan.
    public var expected: ByteCount
    /// What the volume said it gained.
    public var gained: ByteCount
    public var removedItems: Int
    public var skippedItems: Int
    /// Freed bytes, by the name of their class.
    public var freedByClass: [String: ByteCount]

    public init(
        id: String, time: Timestamp, trigger: String, volume: String = "", expected: ByteCount,
        gained: ByteCount, removedItems: Int, skippedItems: Int,
        freedByClass: [String: ByteCount] = [:]
    ) {
        self.id = id
        self.time = time
        self.trigger = trigger
        self.volume = volume
        self.expected = expected
        self.gained = gained
        self.removedItems = removedItems
        self.skippedItems = skippedItems
        self.freedByClass = freedByClass
    }
}
