//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

extension FilePath {
    /// The bytes of the path.
    var bytes: [UInt8] {
        unsafe withPlatformString { base in
            unsafe Array(UnsafeRawBufferPointer(start: base, count: length))
        }
    }

    /// A path from its bytes, which hold no NUL.
    init(bytes: [UInt8]) {
        let terminated = bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
        self = unsafe terminated.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            return unsafe FilePath(platformString: base)
        }
    }
}
