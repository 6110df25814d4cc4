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

/// Reads configuration and `/proc` files, which are small.
package enum SmallFile {
    /// The content of a regular file, following links.
    ///
    /// - Parameter isTrusted: asked for the owner and the permissions of the open file.
    /// - Throws: `EFBIG` if it is longer than `limit`, `EINVAL` if it is not a regular file: a FIFO
    ///   would be waited for, and reading a device can do things; `EPERM` if it is not trusted.
    package static func read(
        _ path: FilePath, limit: Int = 4 << 20,
        where isTrusted: (_ owner: UInt32, _ permissions: UInt32) -> Bool = { _, _ in true }
    ) throws(Errno) -> [UInt8] {
        let file = Descriptor(
            owning: try retrying {
                unsafe path.withPlatformString { text in
                    unsafe hr_openat(
                        AT_FDCWD, text, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
                }
            })
        var status = stat()
        _ = try retrying { unsafe fstat(file.rawValue, &status) }
        guard FileType(mode: UInt32(status.st_mode)) == .regular else { throw .invalidArgument }
        guard isTrusted(UInt32(status.st_uid), UInt32(status.st_mode) & 0o7777) else {
            throw .notPermitted
        }
        var content: [UInt8] = []
        // Files of /proc say that they are empty: read until the end, not st_size bytes.
        while true {
            var failure: Errno?
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 16384) { buffer, count in
                let result = unsafe Self.read(file.rawValue, buffer)
                if result < 0 { failure = .current } else { count = result }
            }
            if let failure { throw failure }
            if chunk.isEmpty { return content }
            content += chunk
            guard content.count <= limit else { throw .fileTooLarge }
        }
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            #if canImport(Darwin)
            let result = unsafe Darwin.read(file, buffer.baseAddress, buffer.count)
            #else
            let result = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
            #endif
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
