//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension FilePath {
    /// A path from the bytes that the system gave, in no particular encoding; they end at a NUL.
    package init(bytes: [UInt8]) {
        var text = bytes
        text.append(0)
        self = unsafe text.withUnsafeBytes { buffer in
            // Terminated above; the memory lives as long as the closure.
            guard let base = buffer.baseAddress else { return FilePath() }
            return unsafe FilePath(platformString: base.assumingMemoryBound(to: CChar.self))
        }
    }

    /// The bytes of the path, without the terminating NUL.
    package var bytes: [UInt8] {
        unsafe withPlatformString { base in
            unsafe Array(UnsafeRawBufferPointer(start: base, count: length))
        }
    }
}
