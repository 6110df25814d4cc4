//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
import HeadroomEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encrypts and decrypts the chunks of one file.
struct ChunkCipher: Sendable {
    static let nonceSize = 12
    private let key: SymmetricKey
    private let context: [UInt8]

    init(_ keys: FileKeys, _ header: ProtectionHeader) {
        key = keys.content
        context = header.chunkContext
    }

    /// - Returns: the chunk as it stands in the file: encrypted, then the tag.
    func seal(_ plain: some DataProtocol, index: Int64, isLast: Bool) throws(ProtectionError)
        -> Data
    {
        do {
            let box = try AES.GCM.seal(
                plain, using: key, nonce: try AES.GCM.Nonce(data: nonce(index, isLast)),
                authenticating: context)
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return combined.dropFirst(Self.nonceSize)
        } catch {
            throw ProtectionError(.io, "A chunk could not be encrypted (\(error)).")
        }
    }

    /// - Parameter chunk: ``nonceSize`` bytes of room for the nonce, then the chunk as it stands in
    ///   the file. Given whole, so that it is copied once only.
    /// - Returns: nil if it is not as it was written, or not in its place.
    func open(_ chunk: inout Data, index: Int64, isLast: Bool) -> Data? {
        chunk.replaceSubrange(
            chunk.startIndex..<chunk.startIndex + Self.nonceSize, with: nonce(index, isLast))
        guard let box = try? AES.GCM.SealedBox(combined: chunk) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: context)
    }

    func nonce(_ index: Int64, _ isLast: Bool) -> [UInt8] {
        var writer = ByteWriter(capacity: Self.nonceSize)
        writer.plain([isLast ? 1 : 0, 0, 0, 0])
        // This number alone has its greatest byte first.
        writer.integer(UInt64(index).byteSwapped)
        return writer.bytes
    }
}
#endif
