//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An array of plain values that grows in place where the system can: large ones move by their page
/// tables (mremap), so that growing does not copy what is there, and no more than an eighth is spare.
@safe struct GrowingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0

    init() {
        unsafe base = nil
    }

    /// As many elements, all of whose bytes are zero.
    init(zeros count: Int) {
        // Fresh pages are zero: these are not touched before they are used.
        guard let zeros = unsafe calloc(count, MemoryLayout<Element>.stride) else {
            preconditionFailure("no memory for \(count) elements")
        }
        unsafe base = zeros.bindMemory(to: Element.self, capacity: count)
        unsafe LargePages.advise(
            UnsafeRawBufferPointer(start: zeros, count: count * MemoryLayout<Element>.stride))
        capacity = count
        self.count = count
    }

    deinit {
        unsafe free(base)
    }

    subscript(_ index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count, "an index out of range")
            return unsafe base.unsafelyUnwrapped[index]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < count, "an index out of range")
            unsafe base.unsafelyUnwrapped[index] = newValue
        }
    }

    /// Changes one element in place.
    @inline(__always)
    mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
        precondition(index >= 0 && index < count, "an index out of range")
        unsafe body(&base.unsafelyUnwrapped[index])
    }

    /// Has the processor bring an element near.
    @inline(__always)
    func prefetch(_ index: Int) {
        precondition(index >= 0 && index < count, "an index out of range")
        unsafe Prefetch.line(of: base.unsafelyUnwrapped + index)
    }

    mutating func append(_ element: Element) {
        if count == capacity { reserve(max(64, capacity + capacity / 8)) }
        unsafe base.unsafelyUnwrapped[count] = element
        count += 1
    }

    /// Appends as many elements as there are whole ones in some bytes.
    mutating func append(copying bytes: RawSpan) {
        let added = bytes.byteCount / MemoryLayout<Element>.stride
        if count + added > capacity {
            reserve(max(64, capacity + max(added, capacity / 8)))
        }
        guard added > 0 else { return }
        _ = unsafe bytes.withUnsafeBytes { bytes in
            // In bounds: reserved above. Any bytes make an element.
            unsafe memcpy(
                base.unsafelyUnwrapped + count, bytes.baseAddress.unsafelyUnwrapped,
                added * MemoryLayout<Element>.stride)
        }
        count += added
    }

    mutating func removeAll() { count = 0 }

    /// - Complexity: O(count) where the memory has to move.
    mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let size = MemoryLayout<Element>.stride
        guard let grown = unsafe realloc(base, wanted * size) else {
            preconditionFailure("no memory for \(wanted) elements of \(size) bytes")
        }
        unsafe base = grown.bindMemory(to: Element.self, capacity: wanted)
        // Fewer and larger pages, which are made in one go.
        unsafe LargePages.advise(UnsafeRawBufferPointer(start: grown, count: wanted * size))
        capacity = wanted
    }
}

// It owns its memory alone, since it cannot be copied; what changes that is mutating, so that whoever calls it has the buffer to
// himself, and all else reads.
extension GrowingBuffer: @unchecked Sendable {}
