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

/// The user that the process acts as.
public enum User {
    /// The effective user id.
    public static var effective: UInt32 { geteuid() }

    public static var isRoot: Bool { effective == 0 }
}
