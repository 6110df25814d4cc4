//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
import HeadroomPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The agreement on a key for `completeUnlessOpen`: who makes a file needs the public key alone.
enum Agreement {
    private static let label = Array("headroom unless open 1".utf8)

    static func privateKey(
        _ secret: SecretBytes
    ) throws(ProtectionError) -> Curve25519.KeyAgreement.PrivateKey {
        do {
            return unsafe try secret.withBytes { (bytes) throws(any Error) in
                unsafe try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            }
        } catch {
            throw ProtectionError(.damagedKeyBag, "A key in the key bag is none (\(error)).")
        }
    }

    /// The key for a new file.
    static func wrappingKey(
        for publicKey: [UInt8], fileID: [UInt8],
        ephemeral: Curve25519.KeyAgreement.PrivateKey = .init()
    ) throws -> (key: SymmetricKey, ephemeralKey: [UInt8]) {
        let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        let ephemeralKey = Array(ephemeral.publicKey.rawRepresentation)
        let secret = try ephemeral.sharedSecretFromKeyAgreement(with: other)
        return (derive(secret, ephemeralKey, publicKey, fileID), ephemeralKey)
    }

    /// The key of a file that was made with it.
    static func unwrappingKey(
        _ secret: SecretBytes, ephemeralKey: [UInt8], fileID: [UInt8]
    ) throws -> SymmetricKey {
        let own = try privateKey(secret)
        let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeralKey)
        let shared = try own.sharedSecretFromKeyAgreement(with: other)
        return derive(shared, ephemeralKey, Array(own.publicKey.rawRepresentation), fileID)
    }

    private static func derive(
        _ secret: SharedSecret, _ ephemeralKey: [UInt8], _ publicKey: [UInt8], _ fileID: [UInt8]
    ) -> SymmetricKey {
        secret.hkdfDerivedSymmetricKey(
            using: Crypto.SHA256.self, salt: ephemeralKey + publicKey, sharedInfo: label + fileID,
            outputByteCount: 32)
    }
}
#endif
