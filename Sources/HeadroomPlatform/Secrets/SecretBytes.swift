//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

/// Bytes that nobody else is to see: a key, a passphrase.
///
/// They lie in pages of their own that are kept out of swap, where the limit on locked memory
/// (`RLIMIT_MEMLOCK`) allows it, and out of dumps, and are wiped when the last reference goes.
@safe package final class SecretBytes: @unchecked Sendable {  // Written by `init` alone.
    private let base: UnsafeMutableRawPointer
    package let count: Int
    /// Whether they cannot be swapped.
    package let isLocked: Bool

    /// - Parameter fill: is given `count` zeros to write to.
    /// - Throws: `ENOMEM`.
    package init(
        count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Errno) -> Void
    ) throws(Errno) {
        var isLocked: Int32 = 0
        guard let base = unsafe hr_secret_make(max(1, count), &isLocked) else {
            throw .noMemory
        }
        unsafe self.base = base
        self.count = count
        self.isLocked = isLocked != 0
        // In bounds: so much was allocated.
        unsafe try fill(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Takes a copy; the original is the caller's to wipe.
    package convenience init(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        unsafe try self.init(count: bytes.count) { target in
            unsafe target.copyMemory(from: bytes)
        }
    }

    deinit { unsafe hr_secret_free(base, max(1, count)) }

    /// Lends the bytes; they must not be kept.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return unsafe try body(UnsafeRawBufferPointer(start: base, count: count))
    }
}
