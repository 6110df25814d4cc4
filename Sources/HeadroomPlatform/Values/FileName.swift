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

/// The name of one directory entry: bytes without `/` and NUL, in no particular encoding.
public struct FileName: Hashable, Sendable {
    /// The bytes of the name, without a terminating NUL.
    public let bytes: [UInt8]

    /// Creates a name from its bytes.
    ///
    /// - Returns: nil if the bytes are empty or contain `/` or NUL.
    public init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Creates a name from text in UTF-8, under the same conditions.
    public init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The name as text: bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the name is valid UTF-8, so that ``text`` loses nothing.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Calls `body` with the name as a system call takes it, valid for the length of the call.
    ///
    /// Inlined where it is called: what it returns is generic, and each save and each file of a purge goes
    /// through here.
    @inlinable
    package func withEntryName<R, E: Error>(_ body: (EntryName) throws(E) -> R) throws(E) -> R {
        let count = bytes.count
        let result: Result<R, E> = unsafe withUnsafeTemporaryAllocation(
            of: CChar.self, capacity: count + 1
        ) { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            unsafe bytes.withUnsafeBytes { bytes in
                // In bounds: there is one more than there are bytes.
                unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            }
            unsafe base[count] = 0
            do throws(E) {
                // Lives as long as the closure; the last element is the NUL.
                return .success(try body(unsafe EntryName(base, count: count)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// A file name lent by memory that somebody else keeps alive, NUL-terminated.
///
/// The walk, the inventory and the purger hand names to system calls without copying them. A value
/// of this type is used within the call it is passed to and never kept.
@safe @usableFromInline
package struct EntryName {
    /// The first byte; a NUL stands at `base[count]`.
    @usableFromInline
    package let base: UnsafePointer<CChar>
    /// The length in bytes, without the NUL.
    @usableFromInline
    package let count: Int

    /// - Parameter base: valid for `count + 1` bytes for as long as the value is used.
    @inlinable
    package init(_ base: UnsafePointer<CChar>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    package var bytes: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// A copy that may be kept.
    package var owned: FileName { unsafe FileName(unchecked: Array(bytes)) }
}

/// By bytes.
extension FileName: Comparable {
    public static func < (left: FileName, right: FileName) -> Bool {
        let common = min(left.bytes.count, right.bytes.count)
        let order: Int32 = unsafe left.bytes.withUnsafeBytes { left in
            // Both are valid for the length of the call and have that many bytes.
            unsafe right.bytes.withUnsafeBytes { right -> Int32 in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return unsafe memcmp(left, right, common)
            }
        }
        return order == 0 ? left.bytes.count < right.bytes.count : order < 0
    }
}
