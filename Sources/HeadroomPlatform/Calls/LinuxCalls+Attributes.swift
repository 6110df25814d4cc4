//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
package import SystemPackage

extension LinuxCalls {
    package func attribute(
        _ attribute: AttributeName, of name: EntryName, at parent: Int32
    ) throws(Errno) -> [UInt8]? {
        if Self.hasXattrat {
            return try unsafe Self.value { buffer, size in
                unsafe hr_getxattrat(
                    parent, name.base, UInt32(AT_SYMLINK_NOFOLLOW), attribute.base, buffer, size)
            }
        }
        // Before Linux 6.13. The path goes through our own descriptor, and lgetxattr does not
        // follow its last component, which is the only one that others can exchange.
        let prefix = parent == AT_FDCWD ? "" : "/proc/self/fd/\(parent)/"
        let path =
            unsafe prefix.utf8.map { CChar(bitPattern: $0) }
            + UnsafeBufferPointer(start: name.base, count: name.count + 1)
        return try unsafe Self.value { buffer, size in
            unsafe lgetxattr(path, attribute.base, buffer, size)
        }
    }

    package func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno)
        -> [UInt8]?
    {
        try unsafe Self.value { buffer, size in
            unsafe fgetxattr(descriptor, attribute.base, buffer, size)
        }
    }

    package func mayHaveAttributes(_ name: EntryName, at parent: Int32) -> Bool {
        // What cannot be told is found out by reading.
        guard Self.hasXattrat else { return true }
        return unsafe hr_listxattrat(parent, name.base, UInt32(AT_SYMLINK_NOFOLLOW), nil, 0) != 0
    }

    /// Whether the kernel knows getxattrat (Linux 6.13).
    package static let hasXattrat: Bool = {
        let result = unsafe hr_getxattrat(AT_FDCWD, ".", 0, "user.headroom", nil, 0)
        return result >= 0 || (errno != ENOSYS && errno != EPERM)
    }()

    /// Nearly all files have none: asked for the length first, which costs the kernel no buffer.
    @inline(__always)
    private static func value(
        _ read: (UnsafeMutableRawPointer?, Int) -> Int
    ) throws(Errno) -> [UInt8]? {
        guard read(nil, 0) < 0 else { return try unsafe presentValue(read) }
        switch Errno.current {
        case .noData, .notSupported: return nil
        case .interrupted: return try unsafe presentValue(read)
        case let error: throw error
        }
    }

    @inline(never)
    private static func presentValue(
        _ read: (UnsafeMutableRawPointer?, Int) -> Int
    ) throws(Errno) -> [UInt8]? {
        // The longest that the kernel knows.
        let capacity = 65_536
        while true {
            var failure: Errno?
            let value = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                let result = unsafe read(buffer.baseAddress, capacity)
                if result < 0 { failure = .current } else { count = min(result, capacity) }
            }
            switch failure {
            case nil: return value
            case .noData?, .notSupported?: return nil
            case .interrupted?: continue
            case .some(let error): throw error
            }
        }
    }
}
#endif
