//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension FilePath {
    /// A path from the bytes that the system gave, in no particular encoding; they end at a NUL.
    package init(bytes: some Sequence<UInt8>) {
        let text = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        self = unsafe text.withUnsafeBufferPointer { buffer in
            // Terminated above; the memory lives as long as the closure.
            guard let base = buffer.baseAddress else { return FilePath() }
            return unsafe FilePath(platformString: base)
        }
    }

    /// The bytes of the path, without the terminating NUL.
    package var bytes: [UInt8] {
        unsafe withPlatformString { base in
            unsafe Array(UnsafeRawBufferPointer(start: base, count: length))
        }
    }

    /// The names of the path's components, without the root; `.` and `..` are kept.
    package var names: [FileName] {
        components.map { component in
            unsafe component.withPlatformString { base in
                var count = 0
                while unsafe base[count] != 0 { count += 1 }
                return unsafe FileName(
                    unchecked: Array(UnsafeRawBufferPointer(start: base, count: count)))
            }
        }
    }
}
