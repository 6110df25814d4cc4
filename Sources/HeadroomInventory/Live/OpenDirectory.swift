//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// An open directory and what it said of itself then.
final class OpenDirectory: Sendable {
    let descriptor: Descriptor
    let status: FileStatus

    /// Opens a root of a scan.
    init(root: FilePath, _ calls: any FileSystemCalls) throws(Errno) {
        let descriptor = try Descriptor.openDirectory(root)
        status = try calls.status(of: descriptor.rawValue)
        self.descriptor = descriptor
    }

    /// Opens a directory below another, on the same mount.
    init(
        _ path: [FileName], beneath root: Int32, _ calls: any FileSystemCalls
    ) throws(Errno) {
        let descriptor = Descriptor(
            owning: try calls.openDirectory(beneath: root, path: path))
        status = try calls.status(of: descriptor.rawValue)
        self.descriptor = descriptor
    }

    /// Opens a directory in another, on the same mount.
    init(_ name: FileName, at parent: Int32, _ calls: any FileSystemCalls) throws(Errno) {
        let descriptor = Descriptor(
            owning: try name.withEntryName { (entry) throws(Errno) in
                try calls.openDirectory(entry, at: parent, crossingMounts: false)
            })
        status = try calls.status(of: descriptor.rawValue)
        self.descriptor = descriptor
    }
}
