//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// Where marks are recorded beside the files: the ledger.
///
/// It alone holds the marks of files whose file system keeps no attributes.
package protocol MarkLedger: Sendable {
    /// The directory with its files; nil: it has none.
    var records: FilePath? { get }

    /// Takes in what other processes have recorded since.
    func refresh()

    /// All that is recorded.
    var markedFiles: [MarkedFile] { get }

    /// The recorded mark of a file; nil if there is none.
    func mark(for key: FileKey) -> Mark?

    /// Records what a file's mark is now; an empty one removes the record. On disk when it returns.
    ///
    /// - Parameter path: where the file is, absolute.
    func setMark(
        _ mark: Mark, for key: FileKey, path: FilePath, isDirectory: Bool
    ) throws(HeadroomError)
}

extension FileKey {
    /// The key of a file with a status, on the file system with an id.
    package init(_ status: FileStatus, fileSystemID: UInt64) {
        self.init(
            fileSystemID: fileSystemID, inode: status.identity.inode,
            birth: status.created?.nanoseconds ?? 0)
    }
}
