//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
package import Crypto
import CryptoExtras
import HeadroomPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How much work it is to try a passphrase.
///
/// Memory is `1024 << exponent` bytes: 128 MiB by default. Values outside of the bounds cannot be
/// made, so that a key bag from somebody else cannot make this process take all memory.
public struct ScryptParameters: Hashable, Sendable {
    public static let exponents: ClosedRange<Int> = 10...20
    public static let parallelisms: ClosedRange<Int> = 1...4
    static let blockSize = 8

    /// N, to the base of two.
    public let exponent: Int
    /// p: how often it is done; one after the other.
    public let parallelism: Int

    /// N = 2¹⁷, p = 1.
    public static let standard = ScryptParameters(uncheckedExponent: 17, parallelism: 1)

    /// - Returns: nil outside of ``exponents`` and ``parallelisms``.
    public init?(exponent: Int, parallelism: Int = 1) {
        guard Self.exponents.contains(exponent), Self.parallelisms.contains(parallelism) else {
            return nil
        }
        self.init(uncheckedExponent: exponent, parallelism: parallelism)
    }

    private init(uncheckedExponent exponent: Int, parallelism: Int) {
        self.exponent = exponent
        self.parallelism = parallelism
    }

    /// The key that a passphrase stands for. Blocks, for as long as the parameters want.
    package func key(from passphrase: Passphrase, salt: [UInt8]) throws(ProtectionError)
        -> SymmetricKey
    {
        // The library has no form of this that forwards typed errors.
        let result: Result<SymmetricKey, any Error> = unsafe passphrase.secret.withBytes { bytes in
            Result {
                unsafe try KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << exponent,
                    blockSize: Self.blockSize, parallelism: parallelism)
            }
        }
        do {
            return try result.get()
        } catch {
            throw ProtectionError(
                .io,
                "The key of the passphrase could not be made (\(error)): it takes "
                    + "\(ByteCount(1024 << Int64(exponent))) of memory. Close programs, and try "
                    + "again.")
        }
    }
}
#endif
