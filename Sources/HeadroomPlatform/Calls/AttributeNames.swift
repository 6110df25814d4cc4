//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names of the extended attributes of a directory. On Linux, they can be read without permission to read the
/// directory, unlike the values.
package enum AttributeNames {
    /// Whether a directory has an attribute.
    ///
    /// - Parameter directory: may be open without permission to read (`O_PATH`).
    /// - Returns: false also if the system doesn't list the names.
    package static func contain(_ name: AttributeName, of directory: Int32) -> Bool {
        // The longest list that Linux has.
        let list = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            let result = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                #if canImport(Darwin)
                unsafe flistxattr(directory, text.baseAddress, text.count, 0)
                #else
                // flistxattr takes no such descriptor.
                unsafe listxattr("/proc/self/fd/\(directory)", text.baseAddress, text.count)
                #endif
            }
            count = max(0, result)
        }
        return list.split(separator: 0).contains { $0.elementsEqual(name.text.utf8) }
    }
}
