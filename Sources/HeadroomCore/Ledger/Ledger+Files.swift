//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import Synchronization
public import SystemPackage

extension Ledger {
    // MARK: - Reading

    /// Everything that is known about the files of one file system, up to date.
    ///
    /// For scans: a value that is asked without locks, from any thread.
    public func volume(_ fileSystemID: UInt64) -> LedgerVolume {
        refresh()
        return core.withLock {
            $0.state.volumes[fileSystemID] ?? LedgerVolume(fileSystemID: fileSystemID)
        }
    }

    /// The mark that was recorded for a file, as of the last ``refresh()``.
    public func mark(for key: FileKey) -> Mark? {
        core.withLock { $0.state.volumes[key.fileSystemID]?.mark(for: key) }
    }

    /// The marked files and directories of a file system, up to date, in no particular order.
    public func markedFiles(on fileSystemID: UInt64) -> [MarkedFile] {
        volume(fileSystemID).markedFiles
    }

    /// The marked files and directories of all file systems, up to date, in no particular order.
    public var markedFiles: [MarkedFile] {
        refresh()
        return core.withLock { $0.state.volumes.values.flatMap(\.markedFiles) }
    }

    /// The last use that was recorded for a file, as of the last ``refresh()``.
    public func lastUse(for key: FileKey) -> Timestamp? {
        core.withLock { $0.state.volumes[key.fileSystemID]?.lastUse(for: key) }
    }

    /// When the ledger first heard of a file, as of the last ``refresh()``.
    public func firstSeen(for key: FileKey) -> Timestamp? {
        core.withLock { $0.state.volumes[key.fileSystemID]?.firstSeen(for: key) }
    }

    // MARK: - Writing

    /// Records the mark of a file or directory; an empty one removes what was recorded.
    ///
    /// On disk when it returns.
    ///
    /// - Throws: `noSpace`, `io` and others if it could not be written: it holds for this process
    ///   then, and no longer. `refused` if the ledger is open for reading only.
    public func setMark(
        _ mark: Mark, for key: FileKey, path: FilePath, isDirectory: Bool
    ) throws(HeadroomError) {
        let record: LedgerRecord =
            mark.isEmpty
            ? .noMark(key)
            : .mark(MarkedFile(key: key, mark: mark, path: path, isDirectory: isDirectory))
        try write([record], synchronizing: true)
    }

    /// Records that files were used; the latest use of each counts.
    ///
    /// Not synced: a crash of the machine may lose the last few.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordUses(_ uses: [(key: FileKey, time: Timestamp)]) throws(HeadroomError) {
        try write(uses.map { .use($0.key, $0.time) }, synchronizing: false)
    }

    /// Records that a file was used.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordUse(of key: FileKey, at time: Timestamp) throws(HeadroomError) {
        try recordUses([(key, time)])
    }

    /// Records when files were seen for the first time; the earliest time of each counts.
    ///
    /// Not synced: a crash of the machine may lose the last few, which are then seen anew.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordFirstSeen(
        _ files: [(key: FileKey, time: Timestamp)]
    ) throws(HeadroomError) {
        try write(files.map { .firstSeen($0.key, $0.time) }, synchronizing: false)
    }

    /// Drops all that is recorded about files, marks included: they are gone.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func forget(_ keys: [FileKey]) throws(HeadroomError) {
        try write(keys.map { .forgotten($0) }, synchronizing: false)
    }
}
