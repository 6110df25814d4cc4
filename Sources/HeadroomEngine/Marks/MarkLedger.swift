//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// Where marks are recorded beside the files: the ledger.
///
/// It alone holds the marks of files whose file system keeps no attributes.
package protocol MarkLedger: Sendable {
    /// Records what a file's mark is now, replacing what was recorded for the same file.
    ///
    /// Its path is where the file is now, absolute.
    func recordMark(_ file: MarkedFile) throws(HeadroomError)

    /// The recorded mark of a file; nil if there is none.
    func recordedMark(for file: FileKey) throws(HeadroomError) -> MarkedFile?

    /// Forgets the mark of a file; nothing happens if there is none.
    func removeMark(for file: FileKey) throws(HeadroomError)
}

extension FileKey {
    /// The key of a file with a status, on the file system with an id.
    package init(_ status: FileStatus, fileSystemID: UInt64) {
        self.init(
            fileSystemID: fileSystemID, inode: status.identity.inode,
            birth: status.created?.nanoseconds ?? 0)
    }
}
