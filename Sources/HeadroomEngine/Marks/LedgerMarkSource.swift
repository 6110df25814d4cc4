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
    let recorded: [UInt64: [MarkedFile]]

    /// - Parameter recorded: the ledger's marked files, of all file systems.
    package init(calls: any FileSystemCalls, recorded: [MarkedFile]) {
        self.calls = calls
        self.recorded = Dictionary(grouping: recorded, by: \.key.inode)
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
        if !recorded.isEmpty, let files = recorded[status.identity.inode] {
            mark = add(files, to: mark, status, directory)
        }
        guard attribute.isDamaged || attribute.hasMarkedFiles || !mark.isEmpty else { return nil }
        return MarkReading(
            mark: mark, hasMarkedFiles: attribute.hasMarkedFiles, isDamaged: attribute.isDamaged)
    }

    /// Adds what the ledger knows of the very file; the same inode number on another file system is
    /// another file.
    private func add(
        _ files: [MarkedFile], to mark: Mark, _ status: FileStatus, _ directory: Int32
    ) -> Mark {
        // Without the file system's id nothing is known to be this file's.
        guard let fileSystem = try? VolumeFigures.fileSystemID(of: directory) else { return mark }
        let key = FileKey(status, fileSystemID: fileSystem)
        return mark.completed(by: files.first { $0.key == key }?.mark, of: key)
    }
}
