//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The standard library has `span` and `mutableSpan` of arrays from macOS 26 and iOS 26 on only: arrays there
// may be Objective-C's. Those whose elements are plain bytes never are.

extension Array where Element: BitwiseCopyable {
    /// The elements, borrowed: as `span` of the standard library, on all our systems.
    @inlinable
    package var borrowedElements: Span<Element> {
        @_lifetime(borrow self)
        @inline(__always)
        borrowing get {
            // The storage of such an array is its own, and stays where it is while the array is borrowed.
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            let span = unsafe Span(_unsafeElements: elements)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The elements, to be changed in place: as `mutableSpan` of the standard library.
    @inlinable
    package var changeableElements: MutableSpan<Element> {
        @_lifetime(&self)
        @inline(__always)
        mutating get {
            // As above; it is unique when this returns, and nobody else has it while it is lent.
            let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            let span = unsafe MutableSpan(_unsafeElements: elements)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }
}

#if canImport(Darwin)
extension Array where Element: BitwiseCopyable {
    /// In place of the standard library's, which the oldest of our systems do not have.
    @inlinable
    package var span: Span<Element> {
        @_lifetime(borrow self)
        @inline(__always)
        borrowing get { borrowedElements }
    }

    @inlinable
    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        @inline(__always)
        mutating get { changeableElements }
    }
}
#endif
