//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemFeatures {
    static var kernelName: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "unknown" }
        return [text(of: names.sysname), text(of: names.release)]
            .joined(separator: " ")
    }

    /// The text in a fixed array of characters.
    private static func text<T>(of field: T) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    #if os(Linux)
    static func probeOpening() -> Bool { LinuxCalls.probeOpenat2() }

    static func probeAttributes() -> Bool {
        let size = unsafe hr_listxattrat(AT_FDCWD, "/", UInt32(AT_SYMLINK_NOFOLLOW), nil, 0)
        // A file system without attributes answers too; a kernel that lacks the call, or a sandbox
        // that forbids it, does not.
        return size >= 0 || ![Errno.noFunction, .notPermitted].contains(.current)
    }

    static func probeMounts() -> Bool {
        guard let root = try? Descriptor.openDirectory("/") else { return false }
        return (try? LinuxCalls().status(of: root.rawValue))?.mountID ?? 0 != 0
    }

    static func probeLeases(in directory: FilePath) -> Bool? {
        let temporary = Int32(HR_O_TMPFILE)
        guard
            let opened = try? retrying({
                unsafe directory.withPlatformString {
                    unsafe hr_openat(AT_FDCWD, $0, O_RDWR | O_CLOEXEC | temporary, 0o600)
                }
            })
        else { return nil }
        switch ExclusiveUse.acquire(Descriptor(owning: opened)) {
        case .granted: return true
        case .inUse: return false
        case .unsupported: return false
        }
    }
    #else
    static func probeOpening() -> Bool { false }
    static func probeAttributes() -> Bool { true }
    static func probeMounts() -> Bool { false }
    static func probeLeases(in directory: FilePath) -> Bool? { false }
    #endif
}
