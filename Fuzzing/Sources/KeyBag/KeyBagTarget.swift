//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomProtection

/// The key bag: as it is, and with its checksum put right, which else hides what lies behind it.
struct KeyBagTarget: FuzzTarget {
    static let name = "key-bag"
    private let scratch: Scratch

    init() throws { scratch = try Scratch(Self.name) }

    func run(_ bytes: [UInt8]) {
        check(bytes)
        guard bytes.count >= 4 else { return }
        let checked = Array(bytes.dropLast(4))
        let repaired = checked + Checksum.crc32c(checked)
        check(repaired)
        // As files: two that may say different things.
        do {
            try scratch.write(repaired, to: "protection.keys")
            try scratch.write(bytes, to: "protection.keys.copy")
        } catch {
            require(false, "the scratch directory: \(error)")
        }
        let bag = try? KeyBag(directory: scratch.path)
        require(
            (bag == nil) == ((try? KeyBagRecord.decode(repaired)) == nil)
                || (try? KeyBagRecord.decode(bytes)) != nil,
            "the bag was opened, or not, against what is in its files")
        require(
            bag?.readableLevels.isSubset(of: [.none]) ?? true,
            "a bag was open without a passphrase")
    }

    private func check(_ bytes: [UInt8]) {
        guard let record = try? KeyBagRecord.decode(bytes) else { return }
        require(record.encoded == bytes, "a key bag is not written as it was read")
        require(
            ScryptParameters.exponents.contains(record.parameters.exponent),
            "the bounds of the key derivation do not hold")
    }
}
#endif
