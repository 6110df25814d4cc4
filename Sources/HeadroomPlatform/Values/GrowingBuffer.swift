//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An array of plain values that grows in place where the system can: large ones move by their page
/// tables (mremap), so that growing does not copy what is there, and no more than an eighth is spare.
@safe package struct GrowingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    package private(set) var count = 0
    private var capacity = 0

    package init() {
        unsafe base = nil
    }

    /// - Parameter element: of which there are `count`.
    package init(repeating element: Element, count: Int) {
        unsafe base = nil
        reserve(count)
        // In bounds: reserved above.
        for index in 0..<count { unsafe base.unsafelyUnwrapped[index] = element }
        self.count = count
    }

    deinit {
        unsafe free(base)
    }

    package subscript(_ index: Int) -> Element {
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
    package mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
        precondition(index >= 0 && index < count, "an index out of range")
        unsafe body(&base.unsafelyUnwrapped[index])
    }

    package mutating func append(_ element: Element) {
        if count == capacity { reserve(max(64, capacity + capacity / 8)) }
        unsafe base.unsafelyUnwrapped[count] = element
        count += 1
    }

    package mutating func removeAll() { count = 0 }

    /// - Complexity: O(count) where the memory has to move.
    package mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let size = MemoryLayout<Element>.stride
        guard let grown = unsafe realloc(base, wanted * size) else {
            preconditionFailure("no memory for \(wanted) elements of \(size) bytes")
        }
        unsafe base = grown.bindMemory(to: Element.self, capacity: wanted)
        #if os(Linux)
        // Best effort: fewer and larger pages, which are made in one go.
        let large = 2 << 20
        if wanted * size >= 2 * large {
            let start = (UInt(bitPattern: grown) + UInt(large) - 1) & ~UInt(large - 1)
            let end = (UInt(bitPattern: grown) + UInt(wanted * size)) & ~UInt(large - 1)
            if end > start {
                unsafe madvise(
                    UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
            }
        }
        #endif
        capacity = wanted
    }
}
