//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

/// A system's own word on what its backups leave out.
package protocol SystemBackupFlag: Sendable {
    /// The attribute that it is kept in; its presence is what counts.
    var attribute: AttributeName { get }

    /// Sets or clears it for an open regular file or directory.
    func set(_ isSet: Bool, of descriptor: Int32) throws(Errno)
}

/// Apple's own flag, the resource value `isExcludedFromBackup`.
///
/// Compiled on Darwin alone, and not yet run there: what is known of its behaviour is in
/// `Documentation/Design/0012-backup-exclusion.md`. Elsewhere there is no such flag.
package struct AppleBackupFlag: SystemBackupFlag {
    package let attribute: AttributeName = "com.apple.metadata:com_apple_backup_excludeItem"

    private init() {}

    /// That of the system this runs on; nil: it has none.
    package static var ofThisSystem: (any SystemBackupFlag)? {
        #if canImport(Darwin)
        return AppleBackupFlag()
        #else
        return nil
        #endif
    }

    /// - Throws: `ENOTSUP` where there is none.
    package func set(_ isSet: Bool, of descriptor: Int32) throws(Errno) {
        #if canImport(Darwin)
        // The system's call takes a path, and a new one: a URL keeps what it was told.
        guard let path = ResolvedDirectory.path(of: descriptor) else {
            throw .noSuchFileOrDirectory
        }
        var url = URL(fileURLWithPath: path.string)
        var values = URLResourceValues()
        values.isExcludedFromBackup = isSet
        do {
            try url.setResourceValues(values)
        } catch {
            throw SystemError.number(of: error)
        }
        #else
        throw .notSupported
        #endif
    }
}
