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
        var tail = ByteReader(bytes.suffix(4))
        guard (try? tail.integer(UInt32.self)) == checksum.value else { throw .damaged }
        var reader = ByteReader(bytes.dropFirst(magic.count))
        // Bounds are checked here, before anything is made of the passphrase.
        guard (try? reader.integer(UInt16.self)) == version,
            (try? reader.integer(UInt8.self)) == 1,
            let exponent = try? reader.integer(UInt8.self),
            (try? reader.integer(UInt32.self)) == UInt32(ScryptParameters.blockSize),
            let parallelism = try? reader.integer(UInt32.self),
            let parameters = ScryptParameters(
                exponent: Int(exponent), parallelism: Int(parallelism)),
            (try? reader.integer(UInt32.self)) == 0
        else { throw .unsupported }
        guard let bagID = try? reader.plain(16), let salt = try? reader.plain(32),
            let publicKey = try? reader.plain(32),
            let generation = try? reader.integer(UInt64.self), generation > 0,
            let sealed = try? reader.plain(sealedSize)
        else { throw .damaged }
        return KeyBagRecord(
            parameters: parameters, bagID: bagID, salt: salt, publicKey: publicKey,
            generation: generation, sealed: sealed)
    }

    /// What is authenticated with the keys.
    var authenticated: [UInt8] {
        var writer = ByteWriter(capacity: Self.authenticatedSize)
        writer.plain(Self.magic)
        writer.integer(Self.version)
        writer.plain([1, UInt8(parameters.exponent)])
        writer.integer(UInt32(ScryptParameters.blockSize))
        writer.integer(UInt32(parameters.parallelism))
        writer.zeros(4)
        for field in [bagID, salt, publicKey] { writer.plain(field) }
        writer.integer(generation)
        return writer.bytes
    }

    package var encoded: [UInt8] {
        var writer = ByteWriter(capacity: Self.size)
        writer.plain(authenticated)
        writer.plain(sealed)
        var checksum = CRC32C()
        unsafe checksum.update(writer.bytes.span.bytes)
        writer.integer(checksum.value)
        return writer.bytes
    }
}
#endif
