//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An empty file with a name of its own that is removed with its owner.
///
/// Held with a shared flock, so that ``OrphanedFile`` can tell those whose process has died.
package final class TemporaryFile: Sendable {
    /// What the names begin with.
    package static let prefix = "headroom-temporary-"

    package let name: String
    private let descriptor: Descriptor
    private let directory: Descriptor

    /// - Parameters:
    ///   - directory: open; closed with the file.
    ///   - suffix: what the name ends with, without `/`.
    package init(in directory: consuming Descriptor, suffix: String) throws(Errno) {
        var generator = SystemRandomNumberGenerator()
        let name =
            Self.prefix + String(generator.next() as UInt64, radix: 16)
            + (suffix.isEmpty ? "" : "-" + suffix)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = directory.rawValue
        descriptor = Descriptor(
            owning: try retrying { unsafe hr_openat(number, name, flags, 0o600) })
        self.directory = directory
        self.name = name
        // Where there are no locks an orphan is told by its age alone.
        _ = FileLock.tryShared(descriptor.rawValue)
    }

    deinit {
        FileLock.unlock(descriptor.rawValue)
        var own = stat()
        var present = stat()
        // Its user may have moved it away, and somebody else may have the name now.
        guard unsafe fstat(descriptor.rawValue, &own) == 0,
            unsafe fstatat(directory.rawValue, name, &present, AT_SYMLINK_NOFOLLOW) == 0,
            own.st_ino == present.st_ino, own.st_dev == present.st_dev
        else { return }
        _ = unsafe unlinkat(directory.rawValue, name, 0)
    }
}
