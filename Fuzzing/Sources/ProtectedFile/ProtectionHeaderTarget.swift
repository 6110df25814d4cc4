//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// The header of protected files: as it is, and with the checksums of both copies put right.
struct ProtectionHeaderTarget: FuzzTarget {
    static let name = "protection-header"

    func run(_ bytes: [UInt8]) {
        check(bytes)
        let size = ProtectionHeader.slotSize
        // A short input is a slot with zeros behind it; what follows the first half is the other one.
        let half = (bytes.count + 1) / 2
        let slots = [Array(bytes.prefix(half)), Array(bytes.dropFirst(half))].map { part in
            let filled = Array(part.prefix(size - 4))
            let checked = filled + [UInt8](repeating: 0, count: size - 4 - filled.count)
            return checked + Checksum.crc32c(checked)
        }
        check(slots[0] + slots[1])
        check(slots[0] + slots[0])
    }

    private func check(_ bytes: [UInt8]) {
        let protection = Protection.of(header: bytes)
        guard let area = try? ProtectionHeaderArea(decoding: bytes) else {
            require(
                protection == .unknown || protection == .level(.none),
                "a level was told from a header that cannot be read")
            return
        }
        require(
            area.slots[area.currentSlot] == area.current, "the slot that counts is another")
        for case let header? in area.slots {
            require(header.generation <= area.current.generation, "an older slot counts")
            require(
                (try? ProtectionHeader(decoding: header.encoded[...])) == header,
                "a header is not read as it is written")
        }
        for length in [Int64(bytes.count), 8_192, 8_208, .max] {
            let size = ProtectionHeaderArea.contentSize(
                ofFile: length, chunkSize: area.current.chunkSize)
            guard let size else { continue }
            require(
                ProtectionHeaderArea.fileSize(ofContent: size, chunkSize: area.current.chunkSize)
                    == length, "a length stands for two sizes")
        }
    }
}
