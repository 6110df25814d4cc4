//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// Finds out whether a file or directory itself is left out of backups, in words other than
/// Headroom's marks.
package protocol ExclusionProbe: Sendable {
    func isExcluded(directory: Int32) -> Bool

    /// - Parameter file: open for reading; nil: look by name.
    func isExcluded(_ name: EntryName, at directory: Int32, _ file: Int32?) -> Bool
}

/// Marks for an audit: what the scan reads anyway, and beside it whether backups leave it out, so
/// that exclusion is handed down the tree like a mark.
struct AuditMarkSource: MarkSource {
    let marks: LedgerMarkSource
    let exclusion: any ExclusionProbe
    let readsEveryFile: Bool

    var knowsFiles: Bool { readsEveryFile || marks.knowsFiles }

    func isKnown(inode: UInt64) -> Bool { readsEveryFile || marks.isKnown(inode: inode) }

    func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
        let reading = marks.reading(ofDirectory: descriptor, status)
        guard reading?.mark.isExcludedFromBackup != true,
            exclusion.isExcluded(directory: descriptor)
        else { return reading }
        return adding(reading)
    }

    func reading(
        ofFile name: EntryName, at directory: Int32, _ status: FileStatus
    ) -> MarkReading? {
        let reading = marks.reading(ofFile: name, at: directory, status)
        guard reading?.mark.isExcludedFromBackup != true,
            exclusion.isExcluded(name, at: directory, nil)
        else { return reading }
        return adding(reading)
    }

    private func adding(_ reading: MarkReading?) -> MarkReading {
        var reading = reading ?? MarkReading(mark: .none)
        reading.mark.isExcludedFromBackup = true
        return reading
    }
}

/// The attribute `user.xdg.robots.backup` and, in directories, `CACHEDIR.TAG`.
struct DialectProbe: ExclusionProbe {
    let calls: any FileSystemCalls

    func isExcluded(directory: Int32) -> Bool {
        if says(try? calls.attribute("user.xdg.robots.backup", of: directory)) { return true }
        return FileName(unchecked: Array("CACHEDIR.TAG".utf8)).withEntryName { name in
            (try? calls.status(of: name, at: directory).type) == .regular
        }
    }

    func isExcluded(_ name: EntryName, at directory: Int32, _ file: Int32?) -> Bool {
        if let file { return says(try? calls.attribute("user.xdg.robots.backup", of: file)) }
        return says(try? calls.attribute("user.xdg.robots.backup", of: name, at: directory))
    }

    private func says(_ value: [UInt8]??) -> Bool {
        value.flatMap { $0 } == Array("false".utf8)
    }
}
