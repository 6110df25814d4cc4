//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The records in the bytes of a segment; what is none is passed over.
struct RecordWalk: Sequence, IteratorProtocol {
    struct Element {
        let header: RecordHeader
        /// In the segment's file.
        let offset: Int
        /// In the bytes that are walked.
        let key: Range<Int>
        let metadata: Range<Int>
        let value: Range<Int>
    }

    private let bytes: [UInt8]
    private let number: UInt32
    private let base: Int
    private var position = 0

    /// - Parameter base: where in the file the bytes begin; a multiple of eight.
    init(_ bytes: [UInt8], of number: UInt32, from base: Int = 0) {
        self.bytes = bytes
        self.number = number
        self.base = base
    }

    mutating func next() -> Element? {
        while position + RecordHeader.size <= bytes.count {
            if let record = record(at: position) {
                position += record.header.recordSize
                return record
            }
            // A gap that was reserved and never written, or damage.
            position += 8
        }
        return nil
    }

    private func record(at start: Int) -> Element? {
        let span = unsafe bytes.span.bytes
        let head = span.extracting(start..<start + RecordHeader.size)
        guard let header = RecordHeader(head), header.container == UInt64(number) else {
            return nil
        }
        let key = start + RecordHeader.size
        let metadata = key + Int(header.keyCount)
        let end = metadata + Int(header.metadataCount)
        let value = key + (header.overhead + 7) & ~7
        guard value + Int(header.valueCount) <= bytes.count,
            RecordHeader.isValid(
                head, span.extracting(key..<end), at: UInt64(base + start))
        else { return nil }
        return Element(
            header: header, offset: base + start, key: key..<metadata, metadata: metadata..<end,
            value: value..<value + Int(header.valueCount))
    }
}
