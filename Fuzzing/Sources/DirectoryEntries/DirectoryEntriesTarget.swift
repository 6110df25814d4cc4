//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What the kernel says of a directory's entries.
struct DirectoryEntriesTarget: FuzzTarget {
    static let name = "directory-entries"

    func run(_ bytes: [UInt8]) {
        // As much memory as there are bytes, so that a look beyond is found; aligned as a buffer is.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.copyBytes(from: bytes)
        var entries = unsafe DirectoryEntries(UnsafeRawBufferPointer(buffer))
        var count = 0
        while let entry = entries.next() {
            count += 1
            let name = entry.name.owned
            require(!name.bytes.isEmpty, "a name is empty")
            require(!name.bytes.contains(0), "a name has a NUL")
            require(name.text != "." && name.text != "..", "a directory is in itself")
        }
        require(count <= bytes.count / 20, "there are more entries than fit")
    }
}
