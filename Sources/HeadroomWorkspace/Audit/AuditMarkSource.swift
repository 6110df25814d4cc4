//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization

/// Marks for an audit: what the scan reads anyway, and beside it whether backups leave it out, so
/// that exclusion is handed down the tree like a mark.
final class AuditMarkSource: MarkSource {
    private let marks: LedgerMarkSource
    private let flags: BackupFlags
    private let readsEveryFile: Bool
    private let tagged = Mutex<Set<FileIdentity>>([])

    init(marks: LedgerMarkSource, flags: BackupFlags, readsEveryFile: Bool) {
        self.marks = marks
        self.flags = flags
        self.readsEveryFile = readsEveryFile
    }

    /// Directories that another program has tagged: it says of them that they can be made again.
    var taggedDirectories: Set<FileIdentity> { tagged.withLock { $0 } }

    var grantors: GrantorTable { marks.grantors }

    var knowsFiles: Bool { readsEveryFile || marks.knowsFiles }

    func isKnown(inode: UInt64) -> Bool { readsEveryFile || marks.isKnown(inode: inode) }

    func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
        let reading = marks.reading(ofDirectory: descriptor, status)
        let dialects = flags.read(ofDirectory: descriptor, status)
        guard !dialects.isEmpty else { return reading }
        if dialects.contains(.foreignTag) {
            // Few directories have one.
            _ = tagged.withLock { $0.insert(status.identity) }
        }
        return adding(reading)
    }

    func reading(
        ofFile name: EntryName, at directory: Int32, _ status: FileStatus
    ) -> MarkReading? {
        let reading = marks.reading(ofFile: name, at: directory, status)
        guard reading?.mark.isExcludedFromBackup != true,
            !flags.read(name, status, at: directory).isEmpty
        else { return reading }
        return adding(reading)
    }

    private func adding(_ reading: MarkReading?) -> MarkReading {
        var reading = reading ?? MarkReading(mark: .none)
        reading.mark.isExcludedFromBackup = true
        return reading
    }
}
