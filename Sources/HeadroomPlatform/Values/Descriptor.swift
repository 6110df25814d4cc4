//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file descriptor that is closed when its owner goes away.
public struct Descriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by.
    package let rawValue: Int32

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // The descriptor is gone whatever close(2) returns; nothing written through it is at stake.
        _ = close(rawValue)
    }

    /// Gives up ownership: the caller closes it.
    package consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }
}
