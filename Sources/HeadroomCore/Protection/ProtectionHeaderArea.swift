//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The two slots at the beginning of a protected file, of which one counts.
package struct ProtectionHeaderArea: Sendable {
    package static let size = 2 * ProtectionHeader.slotSize
    /// The tag that follows each chunk.
    package static let tagSize = 16

    /// Each as far as it is whole.
    package let slots: [ProtectionHeader?]
    /// The number of the slot that counts.
    package let currentSlot: Int
    package let current: ProtectionHeader

    /// Whether the beginning of a file is that of a protected one, whole or not.
    package static func isProtected(_ bytes: [UInt8]) -> Bool {
        let magic = ProtectionHeader.magic
        return bytes.starts(with: magic)
            || bytes.dropFirst(ProtectionHeader.slotSize).starts(with: magic)
                && bytes.count >= size && resembles(bytes.prefix(magic.count))
    }

    /// Whether it is worth reading the whole beginning of a file.
    ///
    /// - Parameter start: its first bytes; fewer than a magic number has are those of an empty or short file.
    package static func mayBeProtected(_ start: [UInt8]) -> Bool {
        let magic = ProtectionHeader.magic
        return start.count >= magic.count && resembles(start.prefix(magic.count))
    }

    /// Whether what is in the place of the first slot's magic may be what is left of it: else a file
    /// that holds a protected one, as an archive does, would be taken for one.
    private static func resembles(_ bytes: ArraySlice<UInt8>) -> Bool {
        let same = zip(bytes, ProtectionHeader.magic).count { $0 == $1 }
        return same >= ProtectionHeader.magic.count / 2 || bytes.allSatisfy { $0 == 0 }
    }

    /// - Throws: `unsupported` if no slot can be read and one is of a later version.
    package init(decoding bytes: [UInt8]) throws(ProtectionHeader.Failure) {
        guard bytes.count >= Self.size else { throw .damaged }
        var slots: [ProtectionHeader?] = []
        var failure = ProtectionHeader.Failure.damaged
        for number in 0..<2 {
            let start = number * ProtectionHeader.slotSize
            do throws(ProtectionHeader.Failure) {
                slots.append(
                    try ProtectionHeader(
                        decoding: bytes[start..<start + ProtectionHeader.slotSize]))
            } catch {
                if error == .unsupported { failure = .unsupported }
                slots.append(nil)
            }
        }
        let generations = slots.map { $0?.generation ?? 0 }
        let number = generations[1] > generations[0] ? 1 : 0
        guard let current = slots[number] else { throw failure }
        self.slots = slots
        currentSlot = number
        self.current = current
    }

    /// Whether a slot is not like the other: a change was cut off, or something was damaged.
    package var needsRepair: Bool { slots[0] != slots[1] }

    /// How many bytes of content a file of a length has.
    ///
    /// - Returns: nil if no file has this length.
    package static func contentSize(ofFile length: Int64, chunkSize: Int) -> Int64? {
        let body = length - Int64(size)
        let stride = Int64(chunkSize + tagSize)
        guard body >= Int64(tagSize) else { return nil }
        let (full, rest) = body.quotientAndRemainder(dividingBy: stride)
        if rest == 0 { return full * Int64(chunkSize) }
        // A last chunk without content is that of an empty file.
        guard rest > Int64(tagSize) || full == 0 && rest == Int64(tagSize) else { return nil }
        return full * Int64(chunkSize) + rest - Int64(tagSize)
    }

    /// How long a file with so many bytes of content is.
    package static func fileSize(ofContent size: Int64, chunkSize: Int) -> Int64 {
        let chunks = max(1, (size + Int64(chunkSize) - 1) / Int64(chunkSize))
        return Int64(Self.size) + size + chunks * Int64(tagSize)
    }
}
