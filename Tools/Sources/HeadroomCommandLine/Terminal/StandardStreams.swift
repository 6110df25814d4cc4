//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Standard input, output and error.
package enum StandardStreams {
    /// Puts `/dev/null` in place of each of them that is closed.
    ///
    /// Before any file is opened: the first would get the number of one that is closed, and what is printed would be
    /// written into it.
    ///
    /// - Returns: false if one is closed, and cannot be replaced.
    package static func replaceClosed() -> Bool {
        for number in STDIN_FILENO...STDERR_FILENO
        // mutation: r22b-1
        where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free, which is this one: those below are open. Commands inherit it. Why it
            // cannot be opened makes no difference.
            let opened = try? FileDescriptor.open(FilePath("/dev/null"), .readWrite)
            guard opened?.rawValue == number else { return false }
        }
        return true
    }
}
