//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#endif

package enum LargePages {
    private static let size: UInt = 2 << 20

    /// Asks for memory in pages of 2 MiB where the system has them (`MADV_HUGEPAGE`); else nothing
    /// happens, as for memory of less than two of them.
    package static func advise(_ memory: UnsafeRawBufferPointer) {
        #if os(Linux)
        let first = UInt(bitPattern: memory.baseAddress)
        let start = (first + size - 1) & ~(size - 1)
        let end = (first + UInt(memory.count)) & ~(size - 1)
        guard end >= start + size, let base = unsafe UnsafeMutableRawPointer(bitPattern: start)
        else {
            return
        }
        // Whole pages of what was given; the advice changes nothing in them.
        unsafe _ = madvise(base, Int(end - start), MADV_HUGEPAGE)
        #endif
    }
}
