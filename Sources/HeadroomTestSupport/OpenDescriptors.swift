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

/// Counts what the process has open below a directory, so that a test notices what it leaks.
///
/// Tests run in parallel: the number of all descriptors says nothing.
public enum OpenDescriptors {
    #if os(Linux)
    /// How many descriptors of this process lead to a path that starts with `prefix`.
    public static func count(below prefix: String) -> Int {
        // The directory is listed once; what is opened meanwhile by other tests does not matter.
        guard let stream = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(stream) }
        var found = 0
        while let entry = unsafe readdir(stream) {
            let number = unsafe atoi(&entry.pointee.d_name.0)
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = unsafe readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
            guard count > 0 else { continue }
            let target = String(
                decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if target.hasPrefix(prefix) { found += 1 }
        }
        return found
    }
    #endif
}
