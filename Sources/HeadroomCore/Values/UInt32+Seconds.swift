//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

extension UInt32 {
    /// The whole seconds of a time, clamped.
    @inlinable @inline(__always)
    package init(clampedSeconds time: Timestamp) {
        self = UInt32(clamping: time.nanoseconds / 1_000_000_000)
    }
}
