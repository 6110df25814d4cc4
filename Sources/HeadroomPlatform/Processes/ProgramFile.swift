//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that can be run.
package enum ProgramFile {
    /// Whose a program is, links followed; nil if there is none that we may run.
    package static func status(of path: FilePath) -> (owner: UInt32, permissions: UInt32)? {
        var status = stat()
        let isThere = unsafe path.withPlatformString { text in
            guard unsafe access(text, X_OK) == 0 else { return false }
            return unsafe stat(text, &status) == 0
        }
        guard isThere, FileType(mode: UInt32(status.st_mode)) == .regular else { return nil }
        return (UInt32(status.st_uid), UInt32(status.st_mode) & 0o7777)
    }
}
