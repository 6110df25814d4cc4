//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Becoming another program.
package enum Execution {
    /// Replaces this process by a command (`execvp`).
    ///
    /// - Parameters:
    ///   - command: the program, looked up in `PATH`, and its arguments; not empty.
    ///   - descriptors: what the command inherits beside standard input, output and error. After
    ///     a failure they are closed on exec again.
    /// - Throws: `ENOTSUP` where apps may not (tvOS, watchOS).
    package static func replaceProcess(
        _ command: [String], inheriting descriptors: [Int32]
    ) throws(Errno) -> Never {
        #if os(tvOS) || os(watchOS)
        throw .notSupported
        #else
        for descriptor in descriptors { _ = try retrying { hr_fcntl(descriptor, F_SETFD, 0) } }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        guard let program = unsafe arguments[0] else { throw .invalidArgument }
        _ = unsafe execvp(program, &arguments)
        let error = Errno.current
        // execvp returns only if it has failed.
        unsafe arguments.forEach { unsafe free($0) }
        for descriptor in descriptors { _ = hr_fcntl(descriptor, F_SETFD, Int(FD_CLOEXEC)) }
        throw error
        #endif
    }
}
