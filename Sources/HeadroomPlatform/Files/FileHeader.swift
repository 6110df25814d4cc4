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

/// Reads a piece of an open file.
package enum FileHeader {
    /// Up to `count` bytes from an offset; fewer only at the end of the file.
    package static func read(
        _ file: Int32, count: Int, at offset: UInt64 = 0
    ) throws(Errno) -> [UInt8] {
        var done = 0
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while done < count {
                // In bounds: the rest of the buffer follows `done`.
                let result = unsafe pread(
                    file, buffer.baseAddress?.advanced(by: done), count - done,
                    off_t(clamping: offset + UInt64(done)))
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = .current }
                guard result > 0 else { break }
                done += result
            }
            filled = done
        }
        if let failure { throw failure }
        return bytes
    }
}

extension FileStatus {
    /// It has a length and occupies nothing: its content is elsewhere, as that of a file that a cloud
    /// keeps, or it is one hole. There is nothing to be read from this volume.
    package var isDataless: Bool { allocatedSize == .zero && logicalSize > .zero }
}
