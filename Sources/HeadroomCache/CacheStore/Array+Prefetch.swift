//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

// Here, since it takes longer than the memory does unless it is compiled with its callers.
extension Array where Element: BitwiseCopyable {
    /// Has the processor bring an element near.
    @inline(__always)
    func prefetch(_ index: Int) {
        precondition(index >= 0 && index < count, "an index out of range")
        unsafe withUnsafeBufferPointer { items in
            unsafe Prefetch.line(of: items.baseAddress.unsafelyUnwrapped + index)
        }
    }
}
