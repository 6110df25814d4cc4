//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import SystemPackage

extension Descriptor {
    /// Writes all bytes where the descriptor stands, in as many calls as it takes.
    ///
    /// - Parameter written: called after each call, with how many bytes it took.
    /// - Throws: the first error; some of the bytes may have been written then.
    borrowing func write(
        all bytes: UnsafeRawBufferPointer, _ written: (Int) -> Void = { _ in }
    ) throws(Errno) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            let count = try retrying { unsafe hr_write(rawValue, part.baseAddress, part.count) }
            written(count)
            unsafe rest = rest.dropFirst(count)
        }
    }
}
