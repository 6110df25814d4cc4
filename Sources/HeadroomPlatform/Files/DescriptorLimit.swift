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

/// How many files a process may have open.
package enum DescriptorLimit {
    /// The limit that holds now (`RLIMIT_NOFILE`, getrlimit(2)); nil: the system does not say. An app may have 256
    /// on Apple's systems, a program of a shell 1,024 on most Linux, and either has use for some itself.
    package static var current: Int? {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        return unsafe getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
}
