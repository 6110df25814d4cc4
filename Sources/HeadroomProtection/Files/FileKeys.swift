//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
package import Crypto
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of one file: its own, and what is derived from it.
package struct FileKeys: Sendable {
    let file: SymmetricKey
    let content: SymmetricKey
    private let header: SymmetricKey

    package init(_ file: SymmetricKey, fileID: [UInt8]) {
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<Crypto.SHA256>.deriveKey(
                inputKeyMaterial: file, salt: fileID, info: Array(purpose.utf8), outputByteCount: 32
            )
        }
        self.file = file
        content = derive("headroom content 1")
        header = derive("headroom header 1")
    }

    // MARK: - Headers

    /// What a new file's header is made of.
    package struct Plan {
        var level: ProtectionLevel
        var chunkExponent: UInt8
        var fileID: [UInt8]
        var generation: UInt64

        package init(
            level: ProtectionLevel, chunkExponent: UInt8, fileID: [UInt8], generation: UInt64 = 1
        ) {
            self.level = level
            self.chunkExponent = chunkExponent
            self.fileID = fileID
            self.generation = generation
        }
    }

    /// A header with this key wrapped in it.
    ///
    /// - Throws: ``ProtectionError`` `locked` if the level's key is not at hand.
    package func header(
        _ plan: Plan, _ bag: KeyBag,
        ephemeral: Curve25519.KeyAgreement.PrivateKey = .init()
    ) throws(ProtectionError) -> ProtectionHeader {
        do {
            let wrapping: SymmetricKey
            var ephemeralKey = [UInt8](repeating: 0, count: 32)
            // mutation: r36c-1
            if plan.level == .completeUnlessOpen {
                (wrapping, ephemeralKey) = try Agreement.wrappingKey(
                    for: bag.publicKey, fileID: plan.fileID, ephemeral: ephemeral)
            } else if let secret = bag.secret(for: plan.level) {
                wrapping = Self.key(secret)
            } else {
                throw ProtectionError(
                    .locked,
                    "Nothing can be protected as \(plan.level.name) while it is locked. Unlock, or "
                        + "use completeUnlessOpen, which can be written at any time.")
            }
            var header = ProtectionHeader(
                level: plan.level, chunkExponent: plan.chunkExponent, generation: plan.generation,
                fileID: plan.fileID, bagID: bag.bagID, ephemeralKey: ephemeralKey,
                wrappedKey: Array(try AES.KeyWrap.wrap(file, using: wrapping)))
            header.code = code(of: header)
            return header
        } catch let error as ProtectionError {
            throw error
        } catch {
            throw ProtectionError(.io, "The key of a file could not be wrapped (\(error)).")
        }
    }

    private func code(of bytes: ProtectionHeader) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: bytes.authenticated, using: header))
    }

    /// The keys of the file that a header belongs to.
    ///
    /// - Returns: nil if the header is not as it was written.
    static func unwrap(_ header: ProtectionHeader, with secret: SecretBytes) -> FileKeys? {
        let wrapping: SymmetricKey
        if header.level == .completeUnlessOpen {
            guard
                let key = try? Agreement.unwrappingKey(
                    secret, ephemeralKey: header.ephemeralKey, fileID: header.fileID)
            else { return nil }
            wrapping = key
        } else {
            wrapping = key(secret)
        }
        guard let file = try? AES.KeyWrap.unwrap(header.wrappedKey, using: wrapping),
            file.bitCount == 256
        else { return nil }
        let keys = FileKeys(file, fileID: header.fileID)
        // Compares in constant time.
        guard
            HMAC<Crypto.SHA256>.isValidAuthenticationCode(
                header.code, authenticating: header.authenticated, using: keys.header)
        else { return nil }
        return keys
    }

    private static func key(_ secret: SecretBytes) -> SymmetricKey {
        unsafe secret.withBytes { unsafe SymmetricKey(data: $0) }
    }
}
#endif
