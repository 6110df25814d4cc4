//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import SystemPackage

/// Reads the marks that a scan and a purge meet: from attributes, and from the ledger for the files
/// it knows.
///
/// The ledger is taken as it was at the start. A purger takes a new reader, or reads the attribute of
/// each candidate once more, which is the place of every mark that has one.
package struct MarkReader: MarkSource {
    private let calls: any FileSystemCalls
    private let recorded: [FileKey: MarkedFile]
    private let inodes: Set<UInt64>
    private let hasFiles: Bool

    /// - Parameter recorded: all marks of the ledger.
    package init(calls: any FileSystemCalls, recorded: [MarkedFile] = []) {
        self.calls = calls
        self.recorded = Dictionary(recorded.map { ($0.key, $0) }) { $1 }
        inodes = Set(recorded.map(\.key.inode))
        hasFiles = recorded.contains { !$0.isDirectory }
    }

    package var knowsFiles: Bool { hasFiles }

    package func isKnown(inode: UInt64) -> Bool { inodes.contains(inode) }

    package func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
        reading(MarkAttribute.read(descriptor, calls), status, fileSystemOf: descriptor)
    }

    package func reading(
        ofFile name: EntryName, at directory: Int32, _ status: FileStatus
    ) -> MarkReading? {
        let attribute = MarkAttribute.read(name, type: status.type, at: directory, calls)
        return reading(attribute, status, fileSystemOf: directory)
    }

    private func reading(
        _ attribute: MarkAttribute, _ status: FileStatus, fileSystemOf descriptor: Int32
    ) -> MarkReading? {
        var mark = attribute.mark
        if inodes.contains(status.identity.inode),
            // A file system that cannot say which it is has nothing in the ledger.
            let fileSystem = try? VolumeFigures.fileSystemID(of: descriptor),
            let known = recorded[FileKey(status, fileSystemID: fileSystem)]
        {
            mark = mark.completed(by: known.mark, of: known.key)
        }
        if mark.isEmpty, attribute == .none { return nil }
        return MarkReading(
            mark: mark, hasMarkedFiles: attribute.hasMarkedFiles, isDamaged: attribute.isDamaged)
    }
}
