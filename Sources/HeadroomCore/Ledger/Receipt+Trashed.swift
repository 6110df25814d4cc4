//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

extension Receipt {
    /// Where a system's trash has something that a disposal has moved there.
    ///
    /// The desktop's trash keeps that itself, in notes that name the receipt.
    package struct Trashed: Hashable, Sendable {
        /// Where it was.
        package var path: FilePath
        /// Where it is.
        package var place: FilePath
        /// What it is, so that something else at the place is not taken for it. No device: its number may be
        /// another after the next start.
        package var inode: UInt64
        package var created: Timestamp?

        package init(path: FilePath, place: FilePath, inode: UInt64, created: Timestamp?) {
            self.path = path
            self.place = place
            self.inode = inode
            self.created = created
        }

        /// Whether this is what was moved there.
        package func isMeant(_ status: FileStatus) -> Bool {
            guard status.identity.inode == inode else { return false }
            guard let created, let other = status.created else { return true }
            return created == other
        }
    }
}

extension ByteWriter {
    mutating func trashed(_ trashed: Receipt.Trashed) {
        data(trashed.path.bytes)
        data(trashed.place.bytes)
        integer(trashed.inode)
        optional(trashed.created) { $0.integer($1.nanoseconds) }
    }
}

extension ByteReader {
    mutating func trashedItems() throws(Malformed) -> [Receipt.Trashed] {
        try list { (reader) throws(Malformed) in
            let path = FilePath(bytes: try reader.data())
            let place = FilePath(bytes: try reader.data())
            let inode = try reader.integer(UInt64.self)
            let created = try reader.optional { (reader) throws(Malformed) in try reader.time() }
            return Receipt.Trashed(path: path, place: place, inode: inode, created: created)
        }
    }
}
