//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// The ways to the file system; each runs the same tests.
public enum CallRoute: String, Sendable, CaseIterable {
    #if os(Linux)
    case linux
    case linuxWithoutOpenat2
    #endif
    case posix

    package var calls: any FileSystemCalls {
        switch self {
        #if os(Linux)
        case .linux: LinuxCalls()
        case .linuxWithoutOpenat2: LinuxCalls(withoutOpenat2: ())
        #endif
        case .posix: POSIXCalls()
        }
    }
}
