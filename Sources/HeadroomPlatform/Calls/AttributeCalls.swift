//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The system calls that marking is made of, beside those that read attributes
/// (``FileSystemCalls``).
package protocol AttributeCalls: Sendable {
    /// Sets an extended attribute of an open file, whether or not there is one.
    ///
    /// - Throws: `EOPNOTSUPP` where the file system keeps none, `EPERM` for what can have none (a
    ///   link, a FIFO), `EACCES` where the file may not be written.
    func setAttribute(_ attribute: AttributeName, to value: [UInt8], of descriptor: Int32)
        throws(Errno)

    /// Removes an extended attribute of an open file.
    ///
    /// - Returns: whether there was one.
    func removeAttribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno) -> Bool

    /// The names of the extended attributes of an open file; empty where the file system keeps none.
    func attributeNames(of descriptor: Int32) throws(Errno) -> [String]

    /// Puts the file, with its attributes, on disk (`fsync`).
    func synchronize(_ descriptor: Int32) throws(Errno)
}

/// What the routes have in common: these calls are the same everywhere but for their arguments.
extension AttributeCalls {
    package func setAttribute(
        _ attribute: AttributeName, to value: [UInt8], of descriptor: Int32
    ) throws(Errno) {
        _ = try retrying {
            #if canImport(Darwin)
            unsafe fsetxattr(descriptor, attribute.base, value, value.count, 0, 0)
            #else
            unsafe fsetxattr(descriptor, attribute.base, value, value.count, 0)
            #endif
        }
    }

    package func removeAttribute(
        _ attribute: AttributeName, of descriptor: Int32
    ) throws(Errno) -> Bool {
        do {
            _ = try retrying {
                #if canImport(Darwin)
                unsafe fremovexattr(descriptor, attribute.base, 0)
                #else
                unsafe fremovexattr(descriptor, attribute.base)
                #endif
            }
            return true
        } catch {
            guard error == Self.noAttribute || error == .notSupported else { throw error }
            return false
        }
    }

    package func attributeNames(of descriptor: Int32) throws(Errno) -> [String] {
        var capacity = 1024
        while true {
            var failure: Errno?
            let list = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                let result = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    #if canImport(Darwin)
                    unsafe flistxattr(descriptor, text.baseAddress, text.count, 0)
                    #else
                    unsafe flistxattr(descriptor, text.baseAddress, text.count)
                    #endif
                }
                if result < 0 { failure = .current } else { count = min(result, capacity) }
            }
            switch failure {
            case nil: return list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            case .notSupported?: return []
            case .interrupted?: continue
            // XATTR_LIST_MAX is 64 KiB on Linux.
            case .outOfRange? where capacity < 1 << 20: capacity <<= 2
            case .some(let error): throw error
            }
        }
    }

    package func synchronize(_ descriptor: Int32) throws(Errno) {
        _ = try retrying { fsync(descriptor) }
    }

    #if canImport(Darwin)
    private static var noAttribute: Errno { Errno(rawValue: ENOATTR) }
    #else
    private static var noAttribute: Errno { Errno(rawValue: ENODATA) }
    #endif
}

#if os(Linux)
extension LinuxCalls: AttributeCalls {}
#endif
extension POSIXCalls: AttributeCalls {}
