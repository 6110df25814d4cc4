//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// The 64 bytes in front of a value in a segment, and behind one that has a file of its own.
///
/// They say everything that is known of the entry, so that the files alone give the index back. The
/// key follows, then the metadata. Format: `Documentation/Design/0020-cache-store.md`.
struct RecordHeader: Hashable, Sendable {
    static let size = 64
    /// What key and metadata may have together.
    static let overheadLimit = 255 * 8
    private static let marker: UInt32 = 0x3145_4348
    static let markerBytes = Array("HCE1".utf8)
    /// Within so many bytes before its end a value's own file has its header.
    static let tailSize = UInt64(size + overheadLimit + 8)

    enum Kind: UInt8, Sendable {
        case value
        /// There is known to be nothing under the key.
        case negative
    }

    var kind = Kind.value
    /// Tags stand in front of the metadata.
    var hasTags = false
    /// It was moved here: after a crash it counts only if the log says so, since the one that it was made
    /// from may have been removed meanwhile.
    var isCopy = false
    var keyCount: UInt16
    var metadataCount: UInt16
    var purgeClass: PurgeableClass
    var importance: UInt8
    /// In microseconds.
    var cost: UInt32
    var valueCount: UInt32 = 0
    var valueSum: UInt32 = 0
    var created: StoreTick
    var expiry: StoreTick
    /// Of two records with one key the one with the larger number counts.
    var sequence: UInt64 = 0
    /// The number of the segment, or of the value's own file.
    var container: UInt64 = 0
    /// When the time of the two moments above began, in nanoseconds since 1970.
    var epoch: UInt64
    /// The value has been replaced, removed or evicted since: what is left when all else is lost does not
    /// come back. Written later, over zeros.
    private(set) var isRetired = false

    /// Where ``retired`` is written.
    static let retiredOffset = 60
    /// Anything but zero is read like it.
    static let retired: [UInt8] = [0x47, 0x4F, 0x4E, 0x45]

    var overhead: Int { Int(keyCount) + Int(metadataCount) }
    var recordSize: Int { StoreEntry.recordSize(length: Int(valueCount), overhead: overhead) }

    /// Header, key and metadata as they stand on disk, padded to a multiple of eight; with the sum over
    /// them.
    ///
    /// - Parameter offset: where the record stands in its file: one that was moved is no record.
    func encoded(_ keyAndMetadata: [UInt8], at offset: UInt64) -> [UInt8] {
        let padding = -keyAndMetadata.count & 7
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size + keyAndMetadata.count + padding)
        bytes.append(contentsOf: repeatElement(0, count: Self.size))
        write(to: &bytes)
        bytes += keyAndMetadata
        bytes.append(contentsOf: repeatElement(0, count: padding))
        let sum = unsafe Self.sum(bytes.span.bytes, keyAndMetadata.span.bytes, offset)
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
        return bytes
    }

    /// Fills in 64 zeros, all but the sum.
    private func write(to bytes: inout [UInt8]) {
        var elements = bytes.mutableSpan
        var span = unsafe elements.mutableBytes
        span.store(Self.marker, at: 0)
        span.store(kind.rawValue, at: 8)
        span.store(purgeClass.code, at: 9)
        span.store(importance, at: 10)
        span.store(UInt8((hasTags ? 1 : 0) | (isCopy ? 2 : 0)), at: 11)
        span.store(keyCount, at: 12)
        span.store(metadataCount, at: 14)
        span.store(cost, at: 16)
        span.store(valueCount, at: 20)
        span.store(valueSum, at: 24)
        span.store(created.rawValue, at: 28)
        span.store(expiry.rawValue, at: 32)
        span.store(sequence, at: 36)
        span.store(container, at: 44)
        span.store(epoch, at: 52)
    }

    /// Reads a header.
    ///
    /// - Returns: nil if there is none. Whether key and metadata are right, ``isValid(_:_:at:)`` says.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= Self.size, bytes.word(at: 0) == Self.marker,
            let kind = Kind(rawValue: bytes.byte(at: 8)),
            let purgeClass = PurgeableClass(code: bytes.byte(at: 9))
        else { return nil }
        self.kind = kind
        self.purgeClass = purgeClass
        importance = bytes.byte(at: 10)
        hasTags = bytes.byte(at: 11) & 1 != 0
        isCopy = bytes.byte(at: 11) & 2 != 0
        keyCount = UInt16(truncatingIfNeeded: bytes.word(at: 12))
        metadataCount = UInt16(truncatingIfNeeded: bytes.word(at: 12) >> 16)
        cost = bytes.word(at: 16)
        valueCount = bytes.word(at: 20)
        valueSum = bytes.word(at: 24)
        created = StoreTick(bytes.word(at: 28))
        expiry = StoreTick(bytes.word(at: 32))
        sequence = UInt64(bytes.word(at: 36)) | UInt64(bytes.word(at: 40)) << 32
        container = UInt64(bytes.word(at: 44)) | UInt64(bytes.word(at: 48)) << 32
        epoch = UInt64(bytes.word(at: 52)) | UInt64(bytes.word(at: 56)) << 32
        isRetired = bytes.word(at: Self.retiredOffset) != 0
        guard overhead <= Self.overheadLimit else { return nil }
    }

    init(
        keyCount: Int, metadataCount: Int, purgeClass: PurgeableClass, importance: UInt8,
        cost: UInt32, created: StoreTick, expiry: StoreTick, epoch: Timestamp
    ) {
        self.keyCount = UInt16(keyCount)
        self.metadataCount = UInt16(metadataCount)
        self.purgeClass = purgeClass
        self.importance = importance
        self.cost = cost
        self.created = created
        self.expiry = expiry
        self.epoch = UInt64(bitPattern: epoch.nanoseconds)
    }

    /// Reads the header of the record that an entry stands for, and makes sure that it is that one: header,
    /// key and metadata as they were written. Whether it is in use, and of the right key, is another matter.
    ///
    /// - Parameter record: as much as the entry says that stands beside the value.
    init?(of entry: StoreEntry, in record: RawSpan) {
        guard let header = RecordHeader(record), header.valueCount == entry.length,
            header.container == (entry.isFile ? entry.place : UInt64(entry.segment)),
            Self.size + header.overhead <= record.byteCount,
            Self.isValid(
                record.extracting(first: Self.size),
                record.extracting(Self.size..<Self.size + header.overhead), at: entry.frontOffset)
        else { return nil }
        self = header
    }

    /// The same of a value that is in use, and of this key.
    init?(of entry: StoreEntry, in record: RawSpan, under key: RawSpan) {
        guard let header = RecordHeader(of: entry, in: record), header.kind == .value,
            // mutation: r20c-1
            !header.isRetired, Int(header.keyCount) == key.byteCount,
            record.extracting(Self.size..<Self.size + key.byteCount).isEqual(to: key)
        else { return nil }
        self = header
    }

    /// Whether a header and what follows it are as they were written at an offset.
    static func isValid(_ header: RawSpan, _ keyAndMetadata: RawSpan, at offset: UInt64) -> Bool {
        sum(header, keyAndMetadata, offset) == header.word(at: 4)
    }

    static func sum(_ value: RawSpan) -> UInt32 {
        var sum = CRC32C()
        sum.update(value)
        return sum.value
    }

    /// Without the sum itself, and what is written later.
    private static func sum(
        _ header: RawSpan, _ keyAndMetadata: RawSpan, _ offset: UInt64
    ) -> UInt32 {
        var sum = CRC32C()
        sum.update(offset)
        sum.update(header.extracting(first: 4))
        sum.update(header.extracting(8..<retiredOffset))
        sum.update(keyAndMetadata)
        return sum.value
    }
}

extension RawSpan {
    fileprivate func byte(at offset: Int) -> UInt8 {
        precondition(offset < byteCount)
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    fileprivate func word(at offset: Int) -> UInt32 {
        precondition(offset + 4 <= byteCount)
        return unsafe UInt32(
            littleEndian: unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt32.self))
    }
}

extension MutableRawSpan {
    /// Writes a number, its lowest byte first.
    @inline(__always)
    fileprivate mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int
    ) {
        storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
}

extension PurgeableClass {
    /// In files of a store.
    var code: UInt8 {
        switch self {
        case .temporary: 0
        case .cache: 1
        case .lastResort: 2
        }
    }

    init?(code: UInt8) {
        switch code {
        case 0: self = .temporary
        case 1: self = .cache
        case 2: self = .lastResort
        default: return nil
        }
    }
}
