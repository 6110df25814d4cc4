//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import Headroom
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Storage {
    /// Opens the key bag beside the ledger, locked.
    ///
    /// - Throws: `ProtectionError` `noKeyBag`, `damagedKeyBag`, `unsupported`, `io`.
    public func keyBag() throws(ProtectionError) -> KeyBag {
        try KeyBag(directory: stateDirectoryPath)
    }

    /// Makes a key bag beside the ledger, unlocked.
    ///
    /// - Throws: `ProtectionError` `keyBagExists`, `io`.
    public func makeKeyBag(
        passphrase: Passphrase, parameters: ScryptParameters = .standard
    ) throws(ProtectionError) -> KeyBag {
        try KeyBag.create(
            directory: stateDirectoryPath, passphrase: passphrase, parameters: parameters)
    }
}
#endif
