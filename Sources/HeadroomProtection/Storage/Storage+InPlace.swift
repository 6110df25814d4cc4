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
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Encrypts a file where it is; its marks go along, also those that the ledger alone holds.
    /// Otherwise as `ProtectedFile.protect(_:level:keys:marks:)`. Blocks.
    ///
    /// - Throws: `ProtectionError` as that.
    public func protect(
        _ url: URL, level: ProtectionLevel, keys: KeyBag
    ) throws(ProtectionError) {
        try ProtectedFile.protect(Self.absolute(url), level: level, keys: keys, marks: marks)
    }

    /// Decrypts a file where it is; otherwise as `protect(_:level:keys:)`. Blocks.
    ///
    /// - Throws: `ProtectionError` as `ProtectedFile.unprotect(_:keys:marks:)`.
    public func unprotect(_ url: URL, keys: KeyBag) throws(ProtectionError) {
        try ProtectedFile.unprotect(Self.absolute(url), keys: keys, marks: marks)
    }

    private static func absolute(_ url: URL) -> FilePath {
        FilePath(url.absoluteURL.path).settled
    }
}
#endif
