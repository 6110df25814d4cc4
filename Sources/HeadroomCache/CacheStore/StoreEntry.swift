//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform

/// What the index knows of one entry, in 40 bytes; the key itself stands beside the value on disk.
///
/// The same bytes are written to the log, lowest byte first.
package struct StoreEntry: BitwiseCopyable, Hashable, Sendable {
    /// The keyed hash of the key, by which the entry is found.
    package var hash: UInt64
    /// The segment's number and the record's offset in it; or the number of the entry's own file.
    var place: UInt64
    /// Of the value, in bytes.
    package var length: UInt32
    package var lastUse: StoreTick
    package var created: StoreTick
    /// From then on it is not there any more; ``StoreTick/never``: no such time.
    package var expiry: StoreTick
    var history = UseHistory.none
    private var costCode: UInt8 = 0
    package var importance: UInt8
    /// Bytes of key and metadata, in units of eight.
    var overhead: UInt8
    var flags: Flags

    struct Flags: OptionSet, BitwiseCopyable, Hashable, Sendable {
        var rawValue: UInt8
        /// The class takes two bits; all of them: the place in the table is free.
        static let classMask: UInt8 = 3
        static let none = Flags(rawValue: 3)
        /// The value is in a file of its own.
        static let isFile = Flags(rawValue: 4)
        /// There is known to be nothing under the key.
        static let isNegative = Flags(rawValue: 8)
        /// Used since the hand of the clock last passed.
        static let isVisited = Flags(rawValue: 16)
        /// It goes when its segment is moved together, unless it is used before.
        static let isCondemned = Flags(rawValue: 32)
        static let hasTags = Flags(rawValue: 64)
        static let isPinned = Flags(rawValue: 128)
        /// What one process knows of an entry, and the log does not tell.
        static let ofThisProcess: Flags = [.isPinned, .isVisited, .isCondemned]
    }

    init(
        hash: UInt64, place: UInt64, length: UInt32, now: StoreTick, expiry: StoreTick,
        purgeClass: PurgeableClass, importance: UInt8, overhead: UInt8, flags: Flags
    ) {
        self.hash = hash
        self.place = place
        self.length = length
        lastUse = now
        created = now
        self.expiry = expiry
        self.importance = importance
        self.overhead = overhead
        self.flags = flags
        self.purgeClass = purgeClass
    }

    package var purgeClass: PurgeableClass {
        get {
            switch flags.rawValue & Flags.classMask {
            case 0: .temporary
            case 1: .cache
            default: .lastResort
            }
        }
        set {
            let code: UInt8 =
                switch newValue {
                case .temporary: 0
                case .cache: 1
                case .lastResort: 2
                }
            flags.rawValue = flags.rawValue & ~Flags.classMask | code
        }
    }

    package var isFile: Bool { flags.contains(.isFile) }

    /// Whether it is an entry, and not a free place in the table.
    var isLive: Bool { flags.rawValue & Flags.classMask != Flags.classMask }

    /// The code of its class, if it is an entry.
    @inline(__always)
    package var classCode: Int { Int(flags.rawValue & Flags.classMask) }

    /// Whether it is an entry of the class with that code.
    @inline(__always)
    func isLive(_ code: Int) -> Bool {
        Int(flags.rawValue & Flags.classMask) == code
    }

    /// What it costs to get the value again, in steps of 9 %, from a microsecond to an hour.
    package var cost: Duration {
        get { .microseconds(Int64(Self.costs[Int(costCode)])) }
        set { costCode = Self.code(newValue) }
    }

    /// Cost and importance as one factor; 1 where neither was said, as of most.
    @inline(__always)
    var worth: Float {
        if costCode | importance == 0 { return 1 }
        return Self.costs[Int(costCode)] * 256 / (256 - Float(importance))
    }

    private static let costs: [Float] = (0...255).map { (Float($0) / 8).exp2 }

    private static func code(_ cost: Duration) -> UInt8 {
        if cost == .zero { return 0 }
        let microseconds = Float(cost / .microseconds(1))
        guard microseconds > 1 else { return 0 }
        return UInt8(min(255, (microseconds.log2 * 8).rounded()))
    }

    var recordPlace: RecordPlace { RecordPlace(place: place, isFile: isFile) }

    /// Where header, key and metadata stand in its file, and how many bytes they are.
    var frontOffset: UInt64 { isFile ? UInt64(length) : UInt64(offset) }
    var frontSize: Int { RecordHeader.size + Int(overhead) * 8 }
    /// Where all of it stands in its file.
    var extent: RecordExtent {
        let (start, length) = (isFile ? 0 : frontSize, Int(length))
        return RecordExtent(
            offset: isFile ? 0 : UInt64(offset), size: frontSize + length,
            value: start..<start + length)
    }

    /// What it takes on disk.
    var recordSize: Int { Self.recordSize(length: Int(length), overhead: Int(overhead) * 8) }

    /// - Parameter overhead: bytes of key and metadata.
    static func recordSize(length: Int, overhead: Int) -> Int {
        (RecordHeader.size + (overhead + 7) & ~7 + length + 7) & ~7
    }
}

/// What is read of a file to have a value, with header, key and metadata before or behind it.
package struct RecordExtent: Sendable {
    /// Where in the file.
    let offset: UInt64
    /// How many bytes, without those that only fill up.
    package let size: Int
    /// Where in these the value is.
    package let value: Range<Int>
    /// What stands beside it.
    var front: Range<Int> { value.lowerBound > 0 ? 0..<value.lowerBound : value.upperBound..<size }
}

/// Where a record stands: a segment and the offset in it, or a file of its own.
struct RecordPlace: Hashable {
    let place: UInt64
    let isFile: Bool
}

/// A moment, in sixteenths of a second since the store was made: eight years of them.
package struct StoreTick: BitwiseCopyable, Hashable, Comparable, Sendable {
    package var rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let never = StoreTick(.max)

    package static func < (left: StoreTick, right: StoreTick) -> Bool {
        left.rawValue < right.rawValue
    }

    static let perSecond: Int64 = 16
    /// How far from its beginning a store can tell times.
    static let range = Duration.seconds(Int64(UInt32.max) / perSecond)

    /// - Parameter epoch: when the store was made.
    package init(_ time: Timestamp, since epoch: Timestamp) {
        let nanoseconds = time.nanoseconds &- epoch.nanoseconds
        let ticks = nanoseconds / (1_000_000_000 / Self.perSecond)
        self.init(UInt32(clamping: min(max(0, ticks), Int64(UInt32.max) - 1)))
    }

    package func advanced(by duration: Duration) -> StoreTick {
        let ticks = duration / .seconds(1) * Double(Self.perSecond)
        let sum = Double(rawValue) + ticks.rounded(.up)
        return sum >= Double(UInt32.max) ? .never : StoreTick(UInt32(max(0, sum)))
    }
}
