//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Reads a whole directory at once.
enum DirectoryListing {
    struct Entry {
        let name: FileName
        let type: HeadroomPlatform.FileType
    }

    /// The entries of an open directory, in the file system's order. The descriptor's position ends
    /// up at the end.
    static func read(_ directory: Int32) throws(Errno) -> [Entry] {
        // The POSIX route is on every platform; its stream works on a duplicate.
        let calls = POSIXCalls()
        var stream = try calls.openStream(directory)
        defer { calls.close(stream) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
        defer { unsafe buffer.deallocate() }
        var listing: [Entry] = []
        while true {
            let count = try unsafe calls.read(&stream, into: buffer)
            if count == 0 { return listing }
            var entries = unsafe DirectoryEntries(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            while let entry = entries.next() {
                var type = entry.type
                if type == .unknown { type = try calls.status(of: entry.name, at: directory).type }
                listing.append(Entry(name: entry.name.owned, type: type))
            }
        }
    }
}
