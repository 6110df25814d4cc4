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

extension POSIXCalls {
    package func attribute(
        _ attribute: AttributeName, of name: EntryName, at parent: Int32
    ) throws(Errno) -> [UInt8]? {
        // There is no fgetxattrat: the file is opened, which a mark needs to be readable for.
        let file = Descriptor(owning: try openFile(name, at: parent, writing: false))
        return try self.attribute(attribute, of: file.rawValue)
    }

    package func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno)
        -> [UInt8]?
    {
        var capacity = 256
        while true {
            var failure: Errno?
            let value = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                #if canImport(Darwin)
                let result = unsafe fgetxattr(
                    descriptor, attribute.base, buffer.baseAddress, capacity, 0, 0)
                #else
                let result = unsafe fgetxattr(
                    descriptor, attribute.base, buffer.baseAddress, capacity)
                #endif
                if result < 0 { failure = .current } else { count = min(result, capacity) }
            }
            switch failure {
            case nil: return value
            case .notSupported?: return nil
            case .some(let error) where error == Self.noAttribute: return nil
            case .interrupted?: continue
            case .outOfRange? where capacity < 65536: capacity = 65536
            case .some(let error): throw error
            }
        }
    }

    #if canImport(Darwin)
    private static let noAttribute = Errno(rawValue: ENOATTR)
    #else
    private static let noAttribute = Errno(rawValue: ENODATA)
    #endif
}
