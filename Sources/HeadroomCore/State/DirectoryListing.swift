//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// Reads the entries of a directory whole, copying names: for the few directories of units.
package struct DirectoryListing {
    package private(set) var entries: [(name: FileName, type: HeadroomPlatform.FileType)] = []

    package init(_ descriptor: Int32, calls: any FileSystemCalls) throws(Errno) {
        var stream = try calls.openStream(descriptor)
        defer { calls.close(stream) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = try unsafe calls.read(&stream, into: buffer)
            guard count > 0 else { return }
            var records = unsafe DirectoryEntries(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            while let entry = records.next() { entries.append((entry.name.owned, entry.type)) }
        }
    }
}
