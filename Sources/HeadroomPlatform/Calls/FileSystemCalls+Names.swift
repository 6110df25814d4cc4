//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

extension FileSystemCalls {
    /// The names in an open directory, but for `.` and `..`, in no order.
    ///
    /// For small directories: all names are in memory at once.
    package func names(in directory: Int32) throws(Errno) -> [FileName] {
        var stream = try openStream(directory)
        defer { close(stream) }
        var names: [FileName] = []
        var memory = [UInt8](repeating: 0, count: 32768)
        while true {
            // The names are copied out before the buffer is filled again.
            let count = try unsafe memory.withUnsafeMutableBufferPointer {
                (bytes) throws(Errno) -> Int in
                let buffer = UnsafeMutableRawBufferPointer(bytes)
                let count = try unsafe read(&stream, into: buffer)
                var entries = unsafe DirectoryEntries(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                while let entry = entries.next() { names.append(entry.name.owned) }
                return count
            }
            if count == 0 { return names }
        }
    }
}
