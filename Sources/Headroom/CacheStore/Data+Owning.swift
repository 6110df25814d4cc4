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
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data {
    /// A stretch of memory that `malloc` gave, and that is freed as a whole with the data.
    ///
    /// - Parameters:
    ///   - start: where in it the data begins: 0, or at least as much as an `Int` takes, in multiples of its
    ///     alignment; what stands before is overwritten.
    ///   - count: not 0.
    init(owning memory: UnsafeMutableRawPointer, from start: Int, count: Int) {
        guard start > 0 else {
            unsafe self.init(bytesNoCopy: memory, count: count, deallocator: .free)
            return
        }
        let size = MemoryLayout<Int>.size
        precondition(start >= size && start % MemoryLayout<Int>.alignment == 0)
        // How far back the memory begins stands before the data: a closure that kept it would take memory of its own.
        unsafe (memory + start - size).storeBytes(of: start, as: Int.self)
        unsafe self.init(
            bytesNoCopy: memory + start, count: count,
            deallocator: .custom { data, _ in
                let start = unsafe (data - MemoryLayout<Int>.size).load(as: Int.self)
                unsafe free(data - start)
            })
    }
}
