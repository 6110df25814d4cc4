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

/// The bytes of a file, mapped into memory for reading.
///
/// They stay though the file is removed or closed. Who cuts the file off meanwhile ends the process that looks
/// at what is gone (mmap(2), SIGBUS).
@safe package final class MappedBytes: @unchecked Sendable {  // Never changes.
    private let base: UnsafeRawPointer?
    package let count: Int

    package init(_ file: SharedFile, _ count: Int) throws(Errno) {
        self.count = count
        guard count > 0 else {
            unsafe base = nil
            return
        }
        let address = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, file.descriptor.rawValue, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else {
            throw Errno.current
        }
        unsafe base = UnsafeRawPointer(address)
    }

    deinit {
        if let base = unsafe base {
            unsafe munmap(UnsafeMutableRawPointer(mutating: base), count)
        }
    }

    /// Looks at them.
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }
}
