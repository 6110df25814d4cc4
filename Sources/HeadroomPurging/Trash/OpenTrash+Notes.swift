//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

extension OpenTrash {
    package func noteNames() throws(Errno) -> [FileName] { try calls.names(in: info.rawValue) }

    package func noteStatus(_ name: FileName) throws(Errno) -> FileStatus {
        try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: info.rawValue)
        }
    }

    /// Whether there is certainly no such item.
    package func isMissing(_ name: FileName) -> Bool {
        do throws(Errno) {
            _ = try status(of: name)
            return false
        } catch {
            return error == .noSuchFileOrDirectory
        }
    }
}
