//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
package import Crypto
import HeadroomEngine
package import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The secret keys of the levels, as far as they are at hand; of `completeUnlessOpen` the private one.
package struct ClassKeys: Sendable {
    /// In the order in which they lie in the key bag.
    package static let levels: [ProtectionLevel] = [
        .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication,
        .completeWhenUserInactive,
    ]

    private(set) var secrets: [ProtectionLevel: SecretBytes]

    package init(_ secrets: [ProtectionLevel: SecretBytes] = [:]) {
        self.secrets = secrets
    }

    var available: Set<ProtectionLevel> { Set(secrets.keys) }

    subscript(level: ProtectionLevel) -> SecretBytes? { secrets[level] }

    mutating func set(_ secret: SecretBytes, for level: ProtectionLevel) { secrets[level] = secret }

    mutating func remove(_ levels: Set<ProtectionLevel>) {
        for level in levels { secrets[level] = nil }
    }

    /// New ones.
    static func make() throws(ProtectionError) -> ClassKeys {
        var keys = ClassKeys()
        for level in levels {
            keys.secrets[level] = try secret(SymmetricKey(size: .bits256))
        }
        return keys
    }

    /// The public key that belongs to the private one of `completeUnlessOpen`.
    package func publicKey() throws(ProtectionError) -> [UInt8] {
        guard let secret = secrets[.completeUnlessOpen] else {
            throw ProtectionError(.locked, "The keys are locked.")
        }
        return Array(try Agreement.privateKey(secret).publicKey.rawRepresentation)
    }

    // MARK: - Sealing

    /// Encrypts all keys into a record.
    package func seal(
        into record: inout KeyBagRecord, with key: SymmetricKey, nonce: AES.GCM.Nonce = .init()
    ) throws(ProtectionError) {
        do {
            let all = unsafe try SecretBytes(count: Self.levels.count * 32) { buffer in
                for (number, level) in Self.levels.enumerated() {
                    unsafe secrets[level]?.withBytes { bytes in
                        // In bounds: a key has 32 bytes, and there is room for all.
                        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(32 * number)...])
                            .copyMemory(from: bytes)
                    }
                }
            }
            let context = record.authenticated
            let box: Result<AES.GCM.SealedBox, any Error> = unsafe all.withBytes { bytes in
                Result {
                    unsafe try AES.GCM.seal(
                        bytes, using: key, nonce: nonce, authenticating: context)
                }
            }
            let sealed = try box.get()
            record.sealed = Array(sealed.nonce) + Array(sealed.ciphertext) + Array(sealed.tag)
        } catch {
            throw ProtectionError(.io, "The keys could not be sealed (\(error)).")
        }
    }

    /// Decrypts the keys of a record.
    ///
    /// - Returns: nil if the key is not the one, or the record was altered.
    package static func open(_ record: KeyBagRecord, with key: SymmetricKey) throws(ProtectionError)
        -> ClassKeys?
    {
        guard let box = try? AES.GCM.SealedBox(combined: record.sealed),
            var opened = try? AES.GCM.open(box, using: key, authenticating: record.authenticated)
        else { return nil }
        var keys = ClassKeys()
        for (number, level) in levels.enumerated() {
            let start = opened.startIndex + 32 * number
            keys.secrets[level] = try secret(SymmetricKey(data: opened[start..<start + 32]))
        }
        // The only reference: wiped in place.
        opened.resetBytes(in: opened.startIndex..<opened.endIndex)
        return keys
    }

    private static func secret(_ key: SymmetricKey) throws(ProtectionError) -> SecretBytes {
        let result: Result<SecretBytes, Errno> = unsafe key.withUnsafeBytes { bytes in
            do throws(Errno) {
                return .success(unsafe try SecretBytes(bytes))
            } catch {
                return .failure(error)
            }
        }
        do {
            return try result.get()
        } catch {
            throw .noMemory(error)
        }
    }
}
#endif
