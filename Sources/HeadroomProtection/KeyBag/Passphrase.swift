//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPlatform
import SystemPackage

/// What a person remembers, kept out of swap and dumps, and wiped when it goes.
///
/// Bytes are taken as they are: a letter that was typed in another composition is another passphrase.
/// A `String` that it was made from is the caller's, and stays in memory for as long as Swift likes;
/// where that matters it is made from bytes.
public struct Passphrase: Sendable {
    /// More than that is nothing that somebody typed.
    public static let longest = 4096

    let secret: SecretBytes

    /// - Throws: ``ProtectionError`` `invalid` if it is empty or longer than ``longest`` bytes.
    public init(_ text: String) throws(ProtectionError) {
        try self.init(Array(text.utf8))
    }

    /// - Throws: ``ProtectionError`` `invalid` if it is empty or longer than ``longest`` bytes.
    public init(_ bytes: [UInt8]) throws(ProtectionError) {
        guard !bytes.isEmpty, bytes.count <= Self.longest else {
            throw ProtectionError(
                .invalid,
                bytes.isEmpty
                    ? "A passphrase cannot be empty. Six random words make a good one."
                    : "A passphrase has at most \(Self.longest) bytes. Is it the right file?")
        }
        do {
            secret = unsafe try SecretBytes(count: bytes.count) { target in
                unsafe target.copyBytes(from: bytes)
            }
        } catch {
            throw .noMemory(error)
        }
    }
}
#endif
