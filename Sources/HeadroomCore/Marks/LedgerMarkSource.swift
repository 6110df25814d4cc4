//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// Marks as a scan and a purge read them: from the attributes, and what the ledger adds.
///
/// Where a file system keeps no attributes the ledger alone has the marks. Where it does, a record
/// that is missing on the file is added only as far as it protects, or if the file is provably the
/// one that was marked.
package struct LedgerMarkSource: MarkSource {
    private let calls: any FileSystemCalls
    /// By inode.
    package let recorded: [UInt64: [MarkedFile]]
    /// Whether files of other users are purged, so that it matters who set a mark.
    private let isPrivileged: Bool
    package let grantors = GrantorTable()

    /// - Parameters:
    ///   - recorded: the ledger's marked files, of all file systems.
    ///   - isPrivileged: the process has the rights of root.
    package init(
        calls: any FileSystemCalls, recorded: [MarkedFile], isPrivileged: Bool = User.isRoot
    ) {
        self.calls = calls
        self.recorded = Dictionary(grouping: recorded, by: \.key.inode)
        self.isPrivileged = isPrivileged
    }

    package var knowsFiles: Bool { !recorded.isEmpty }

    package func isKnown(inode: UInt64) -> Bool { recorded[inode] != nil }

    package func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
        combine(MarkAttribute.read(descriptor, calls), status, directory: descriptor)
    }

    package func reading(
        ofFile name: EntryName, at directory: Int32, _ status: FileStatus
    ) -> MarkReading? {
        combine(
            MarkAttribute.read(name, type: status.type, at: directory, calls), status,
            directory: directory)
    }

    @inline(__always)
    private func combine(
        _ attribute: MarkAttribute, _ status: FileStatus, directory: Int32
    ) -> MarkReading? {
        var mark = attribute.mark
        var record: Mark?
        if !recorded.isEmpty, let files = recorded[status.identity.inode] {
            (mark, record) = add(files, to: mark, status, directory)
        }
        guard attribute.isDamaged || attribute.hasMarkedFiles || !mark.isEmpty else { return nil }
        return MarkReading(
            mark: mark, hasMarkedFiles: attribute.hasMarkedFiles, isDamaged: attribute.isDamaged,
            permission: MarkPermission(
                of: mark, status, recorded: record, isPrivileged: isPrivileged))
    }

    /// Adds what the ledger knows of the very file; the same inode number on another file system is
    /// another file.
    ///
    /// - Returns: the whole mark, and the part that the ledger has.
    private func add(
        _ files: [MarkedFile], to mark: Mark, _ status: FileStatus, _ directory: Int32
    ) -> (mark: Mark, record: Mark?) {
        // Without the file system's id nothing is known to be this file's.
        guard let fileSystem = try? VolumeFigures.fileSystemID(of: directory) else {
            return (mark, nil)
        }
        let key = FileKey(status, fileSystemID: fileSystem)
        let record = files.first { $0.key == key }?.mark
        return (mark.completed(by: record, of: key), MarkRepair.isSameFile(key, key) ? record : nil)
    }
}
