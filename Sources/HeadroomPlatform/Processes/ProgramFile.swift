//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that can be run.
package enum ProgramFile {
    /// Whether a path leads to a program that we may run.
    package static func isRunnable(_ path: FilePath) -> Bool {
        guard unsafe path.withPlatformString({ unsafe access($0, X_OK) }) == 0 else { return false }
        return (try? PathCalls.status(path))?.type == .regular
    }
}
