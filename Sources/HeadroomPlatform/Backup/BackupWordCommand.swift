//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The commands of this system by which a person takes back what another program has said of backups.
///
/// Headroom itself removes only words of its own.
package enum BackupWordCommand {
    /// Removes an extended attribute.
    ///
    /// - Parameter path: as it is written for a shell.
    package static func removing(_ attribute: AttributeName, from path: String) -> String {
        #if canImport(Darwin)
        return "xattr -d \(attribute.text) \(path)"
        #else
        return "setfattr -x \(attribute.text) \(path)"
        #endif
    }

    /// Clears the no-dump flag.
    package static func clearingNoDump(of path: String) -> String {
        #if canImport(Darwin)
        return "chflags dump \(path)"
        #else
        return "chattr -d \(path)"
        #endif
    }

    /// Takes back Apple's resource value.
    package static func clearingAppleFlag(of path: String) -> String {
        "tmutil removeexclusion \(path)"
    }
}
