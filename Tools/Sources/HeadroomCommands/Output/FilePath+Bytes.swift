//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension FilePath {
    /// The bytes of the path.
    package var bytes: [UInt8] {
        unsafe withPlatformString { base in
            // `length` counts the bytes in front of the NUL that ends the string.
            unsafe UnsafeBufferPointer(start: base, count: length).map { UInt8(bitPattern: $0) }
        }
    }

    /// The path of bytes; what follows a NUL is left out.
    package init(bytes: [UInt8]) {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        // Ends with the NUL that was just added, if there is none before.
        self = unsafe terminated.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
