//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether a file system keeps the attributes that marks are made of.
public enum AttributeSupport {
    /// Whether files at a path can carry extended attributes of users.
    ///
    /// True also where that cannot be told.
    public static func isAvailable(at path: FilePath) -> Bool {
        markSize(at: path) >= 0 || Errno.current != .notSupported
    }

    /// Whether a file or directory has the attribute of a mark.
    package static func hasMark(at path: FilePath) -> Bool { markSize(at: path) >= 0 }

    private static func markSize(at path: FilePath) -> Int {
        unsafe path.withPlatformString { path in
            #if canImport(Darwin)
            unsafe getxattr(path, "headroom", nil, 0, 0, XATTR_NOFOLLOW)
            #else
            unsafe lgetxattr(path, "user.headroom", nil, 0)
            #endif
        }
    }

    /// Whether an attribute could be written on an open file now: its file system keeps them, and the
    /// user may write to it.
    ///
    /// - Parameter path: where the file is.
    package static func isWritable(_ descriptor: Int32, at path: FilePath) -> Bool {
        #if canImport(Darwin)
        let size = unsafe fgetxattr(descriptor, "headroom", nil, 0, 0, 0)
        #else
        let size = unsafe fgetxattr(descriptor, "user.headroom", nil, 0)
        #endif
        guard size >= 0 || Errno.current != .notSupported else { return false }
        return unsafe path.withPlatformString {
            unsafe faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS)
        } == 0
    }
}
