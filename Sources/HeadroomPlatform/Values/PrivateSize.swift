//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

/// What of a file is in no other one: of a clone on APFS, what its removal really frees.
package enum PrivateSize {
    /// Asks about an open regular file. It takes much longer than a status, so only when somebody wants to
    /// know.
    ///
    /// - Throws: `ENOTSUP` where the file system, or this system, does not tell.
    package static func of(_ descriptor: Int32) throws(Errno) -> ByteCount {
        #if canImport(Darwin)
        var size: Int64 = 0
        _ = try retrying { unsafe hr_private_size(descriptor, &size) }
        return ByteCount(size)
        #else
        throw .notSupported
        #endif
    }
}
