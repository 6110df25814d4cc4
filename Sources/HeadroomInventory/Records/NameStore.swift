//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Memory for the names of directories: one allocation for many.
@safe final class NameStore: @unchecked Sendable {  // One thread fills it; then it never changes.
    private static let slabSize = 64 * 1024

    private var slabs: [UnsafeMutablePointer<CChar>] = unsafe []
    private var offset = NameStore.slabSize

    deinit {
        unsafe slabs.forEach { unsafe $0.deallocate() }
    }

    /// Copies a name.
    ///
    /// - Returns: the copy, valid as long as the store.
    func add(_ name: EntryName) -> EntryName {
        if offset + name.count + 1 > Self.slabSize {
            // A name is shorter than a slab: file systems end at 255 bytes, Darwin's at 1,023.
            unsafe slabs.append(.allocate(capacity: max(Self.slabSize, name.count + 1)))
            offset = 0
        }
        let copy = unsafe slabs[slabs.count - 1] + offset
        // In bounds: there is room for the name and its NUL.
        unsafe copy.update(from: name.base, count: name.count)
        unsafe copy[name.count] = 0
        offset += name.count + 1
        return unsafe EntryName(copy, count: name.count)
    }
}
