//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What some items of an inventory come to. A file with several links counts its bytes once.
public struct InventorySum: Hashable, Sendable {
    public var allocated: ByteCount = .zero
    public var logical: ByteCount = .zero
    /// Names, all links included.
    public var items = 0
    private var oldest = UInt32.max
    private var newest: UInt32 = 0

    public init() {}

    /// The last use of the item that was longest not used; nil where there is none.
    public var oldestUse: Timestamp? {
        items == 0 ? nil : Timestamp(seconds: Int64(oldest))
    }

    /// The last use of the item that was used last; nil where there is none.
    public var newestUse: Timestamp? {
        items == 0 ? nil : Timestamp(seconds: Int64(newest))
    }

    @inline(__always)
    package mutating func add(_ item: ItemRecord, lastUse: UInt32) {
        items &+= 1
        oldest = min(oldest, lastUse)
        newest = max(newest, lastUse)
        guard !item.flags.contains(.countedElsewhere) else { return }
        allocated.bytes &+= item.allocated
        logical.bytes &+= item.logical
    }

    public static func += (left: inout InventorySum, right: InventorySum) {
        left.allocated += right.allocated
        left.logical += right.logical
        left.items += right.items
        left.oldest = min(left.oldest, right.oldest)
        left.newest = max(left.newest, right.newest)
    }
}

/// Items whose last use lies in one span of time.
public struct AgeBucket: Hashable, Sendable {
    /// Their last use lies at least this long ago.
    public var from: Duration
    /// And less than this; nil: any longer.
    public var to: Duration?
    public var sum: InventorySum

    /// A day, a week, 30 days, 90 days, one year and two.
    public static let standardBounds: [Duration] = [
        .seconds(86_400), .seconds(7 * 86_400), .seconds(30 * 86_400), .seconds(90 * 86_400),
        .seconds(365 * 86_400), .seconds(730 * 86_400),
    ]
}
