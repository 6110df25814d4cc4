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

// What the system has put somewhere is named by its path: the directory it is in is the system's, and on
// macOS nobody may open it.
extension Relocation {
    /// The status of what the system has put somewhere; a link is not followed.
    package static func status(_ place: FilePath) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe place.withPlatformString { unsafe lstat($0, &status) } }
        return FileStatus(status)
    }

    /// Renames what the system has put somewhere into an open directory, if nothing has the name there.
    ///
    /// - Throws: `EEXIST` if something has; `EXDEV` if the two are not of one mount: nothing is ever
    ///   copied.
    package static func move(
        _ place: FilePath, to newName: FileName, in newParent: Int32
    ) throws(Errno) {
        try newName.withEntryName { (new) throws(Errno) in
            _ = try retrying {
                unsafe place.withPlatformString { old in
                    unsafe renameExclusively(AT_FDCWD, old, newParent, new.base)
                }
            }
        }
    }

    /// Undoes ``move(_:to:in:)``, if nothing is at the place by now.
    package static func move(
        _ name: FileName, from parent: Int32, backTo place: FilePath
    ) throws(Errno) {
        try name.withEntryName { (old) throws(Errno) in
            _ = try retrying {
                unsafe place.withPlatformString { new in
                    unsafe renameExclusively(parent, old.base, AT_FDCWD, new)
                }
            }
        }
    }

    /// - Returns: -1 on failure, as where something has the new name.
    private static func renameExclusively(
        _ parent: Int32, _ name: UnsafePointer<CChar>, _ newParent: Int32,
        _ newName: UnsafePointer<CChar>
    ) -> Int32 {
        #if os(Linux)
        unsafe hr_renameat2(parent, name, newParent, newName, UInt32(HR_RENAME_NOREPLACE))
        #else
        unsafe renameatx_np(parent, name, newParent, newName, UInt32(RENAME_EXCL))
        #endif
    }
}
