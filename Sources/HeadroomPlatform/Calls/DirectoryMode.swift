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

/// The permissions of an open directory.
package enum DirectoryMode {
    /// Lets its owner, who we are, change what is in it.
    package static func makeWritable(_ descriptor: Int32, _ status: FileStatus) throws(Errno) {
        let mode = mode_t(status.permissions) | 0o700
        _ = try retrying { fchmod(descriptor, mode) }
    }

    /// Gives a directory back the permissions that it had.
    package static func restore(_ descriptor: Int32, _ status: FileStatus) {
        // It was ours to change a moment ago; if it is not any more, it is another's to set.
        _ = fchmod(descriptor, mode_t(status.permissions))
    }

    /// Whether we may change what is in an open directory, or could after ``makeWritable(_:_:)``.
    package static func isWritable(_ descriptor: Int32, _ status: FileStatus) -> Bool {
        if User.isRoot || status.owner == User.effective { return true }
        // As the effective user, who will do it: a set-user-ID program has another real one.
        return unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0
    }
}
