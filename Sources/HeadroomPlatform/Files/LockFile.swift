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

/// A small file that is locked as a whole, and says in words who has it.
package enum LockFile {
    private static let limit = 1_024

    /// Opens it, and makes it if it is missing; a link is not followed.
    package static func open(
        _ name: String, in directory: StateDirectory
    ) throws(Errno) -> Descriptor {
        Descriptor(
            owning: try retrying {
                unsafe hr_openat(
                    directory.descriptor.rawValue, name,
                    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            })
    }

    /// What stands in it; empty if that cannot be read.
    package static func text(_ file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    package static func write(_ text: String, _ file: Int32) throws(Errno) {
        let bytes = Array(text.utf8.prefix(limit))
        _ = try retrying { ftruncate(file, 0) }
        _ = try retrying { Int32(clamping: unsafe pwrite(file, bytes, bytes.count, 0)) }
    }
}
