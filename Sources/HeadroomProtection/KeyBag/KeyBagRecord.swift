//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomPlatform

/// What stands in the file of a key bag; see Documentation/Design/0033-protection.md.
package struct KeyBagRecord: Hashable, Sendable {
    static let magic: [UInt8] = [0x89, 0x48, 0x52, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A]
    package static let size = 272
    static let authenticatedSize = 112
    static let sealedSize = 12 + 4 * 32 + 16
    private static let version: UInt16 = 1

    package var parameters: ScryptParameters
    package var bagID: [UInt8]
    package var salt: [UInt8]
    /// Of the pair of `completeUnlessOpen`.
    package var publicKey: [UInt8]
    package var generation: UInt64
    /// Nonce, encrypted keys, tag.
    package var sealed: [UInt8]

    package init(
        parameters: ScryptParameters, bagID: [UInt8], salt: [UInt8], publicKey: [UInt8],
        generation: UInt64, sealed: [UInt8] = []
    ) {
        self.parameters = parameters
        self.bagID = bagID
        self.salt = salt
        self.publicKey = publicKey
        self.generation = generation
        self.sealed = sealed
    }

    package enum Failure: Error, Hashable, Sendable {
        case damaged
        case unsupported
    }

    // MARK: - Coding

    package static func decode(_ bytes: [UInt8]) throws(Failure) -> KeyBagRecord {
        guard bytes.count == size, bytes.starts(with: magic) else { throw .damaged }
        let checked = Array(bytes.dropLast(4))
        var checksum = CRC32C()
        unsafe checksum.update(checked.span.bytes)
        var tail = LittleEndianReader(bytes.suffix(4))
        guard tail.integer(UInt32.self) == checksum.value else { throw .damaged }
        var reader = LittleEndianReader(bytes.dropFirst(magic.count))
        // Bounds are checked here, before anything is made of the passphrase.
        guard reader.integer(UInt16.self) == version, reader.integer(UInt8.self) == 1,
            let exponent = reader.integer(UInt8.self),
            reader.integer(UInt32.self) == UInt32(ScryptParameters.blockSize),
            let parallelism = reader.integer(UInt32.self),
            let parameters = ScryptParameters(
                exponent: Int(exponent), parallelism: Int(parallelism)),
            reader.integer(UInt32.self) == 0
        else { throw .unsupported }
        guard let bagID = reader.bytes(16), let salt = reader.bytes(32),
            let publicKey = reader.bytes(32), let generation = reader.integer(UInt64.self),
            generation > 0, let sealed = reader.bytes(sealedSize)
        else { throw .damaged }
        return KeyBagRecord(
            parameters: parameters, bagID: bagID, salt: salt, publicKey: publicKey,
            generation: generation, sealed: sealed)
    }

    /// What is authenticated with the keys.
    var authenticated: [UInt8] {
        let derivation =
            [1, UInt8(parameters.exponent)]
            + UInt32(ScryptParameters.blockSize).littleEndianBytes
            + UInt32(parameters.parallelism).littleEndianBytes + [0, 0, 0, 0]
        return Self.magic + Self.version.littleEndianBytes + derivation + bagID + salt + publicKey
            + generation.littleEndianBytes
    }

    package var encoded: [UInt8] {
        let bytes = authenticated + sealed
        var checksum = CRC32C()
        unsafe checksum.update(bytes.span.bytes)
        return bytes + checksum.value.littleEndianBytes
    }
}
#endif
