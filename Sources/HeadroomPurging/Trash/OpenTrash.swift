//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlanning
package import HeadroomPlatform
package import SystemPackage

/// A trash directory that is open: nobody can exchange it for another any more.
package final class OpenTrash {
    package private(set) var directory: TrashDirectory
    let files: Descriptor
    let info: Descriptor
    /// Of `files`: what is moved there must lie on the same mount.
    let status: FileStatus
    let calls: any FileSystemCalls

    /// Opens the directories in it, none of which may be a link or another user's.
    ///
    /// - Parameter making: what is missing of `files` and `info` is made.
    init(
        _ directory: TrashDirectory, trash: borrowing Descriptor, making: Bool,
        user: UInt32, _ calls: any FileSystemCalls
    ) throws(TrashRefusal) {
        self.directory = directory
        self.calls = calls
        let number = trash.rawValue
        let owner = try TrashRefusal.translating { () throws(Errno) in
            try calls.status(of: number).owner
        }
        guard owner == user else { throw .foreignOwner(owner) }
        let files = try Self.open(TrashInfo.filesName, at: number, making: making, user, calls)
        info = try Self.openInfo(at: number, making: making, user, calls)
        let filesNumber = files.rawValue
        status = try TrashRefusal.translating { () throws(Errno) in
            try calls.status(of: filesNumber)
        }
        // Where the volume does not say, the operations find out.
        self.directory.isReadOnly = (try? VolumeFigures(of: filesNumber))?.isReadOnly ?? false
        self.files = files
    }

    private static func openInfo(
        at trash: Int32, making: Bool, _ user: UInt32, _ calls: any FileSystemCalls
    ) throws(TrashRefusal) -> Descriptor {
        do throws(TrashRefusal) {
            return try open(TrashInfo.directoryName, at: trash, making: making, user, calls)
        } catch {
            throw error == .failed(.noSuchFileOrDirectory) ? .incomplete : error
        }
    }

    private static func open(
        _ name: FileName, at trash: Int32, making: Bool, _ user: UInt32,
        _ calls: any FileSystemCalls
    ) throws(TrashRefusal) -> Descriptor {
        let opened = try TrashRefusal.translating { () throws(Errno) in
            if making { try Relocation.makeDirectory(name, at: trash) }
            return Descriptor(
                owning: try name.withEntryName { (entry) throws(Errno) in
                    try calls.openDirectory(entry, at: trash, crossingMounts: false)
                })
        }
        let number = opened.rawValue
        let owner = try TrashRefusal.translating { () throws(Errno) in
            try calls.status(of: number).owner
        }
        guard owner == user else { throw .foreignOwner(owner) }
        return opened
    }

    // MARK: - Entries

    func status(of name: FileName) throws(Errno) -> FileStatus {
        try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: files.rawValue)
        }
    }

    /// What is written about an item.
    ///
    /// - Returns: nil if nothing is, or nothing that can be read.
    func information(about name: FileName) -> TrashInfo? {
        guard let infoName = TrashInfo.fileName(of: name),
            let content = try? Relocation.read(
                infoName, at: info.rawValue, limit: TrashInfo.sizeLimit)
        else { return nil }
        return TrashInfo(parsing: content)
    }

    /// What the age of an item counts from: the latest of what is written of its deletion, and of the
    /// last changes of the item and of its note.
    ///
    /// The date is local time without a zone (another `TZ` moves it by up to 26 hours), and any program may
    /// write it. The change times are the kernel's: nobody sets them, the move into the trash does, and on
    /// file systems where a move does not, the making of the note. What touches an item later makes it
    /// younger, so that it stays longer. A change that is more than a day ahead was told by a wrong clock,
    /// and says nothing: it would keep the item for as long as the clock was ahead.
    func age(
        of name: FileName, _ status: FileStatus, _ information: TrashInfo?, now: Timestamp
    ) -> Timestamp {
        // Without a note that can be looked at the item speaks for itself.
        let note = TrashInfo.fileName(of: name).flatMap { try? noteStatus($0) }
        // mutation: r33e-3
        let limit = now.advanced(by: TrashDates.youngest)
        // mutation: r33e-2
        return [status.changed, note?.changed].compactMap { $0 }.filter { $0 <= limit }
            .reduce(information?.deleted ?? status.changed) { max($0, $1) }
    }

    /// Removes what is written about an item that is not there any more.
    package func removeInformation(about name: FileName) throws(Errno) {
        guard let infoName = TrashInfo.fileName(of: name) else { return }
        try infoName.withEntryName { (entry) throws(Errno) in
            try calls.remove(entry, at: info.rawValue, isDirectory: false)
        }
    }

    func itemNames() throws(Errno) -> [FileName] { try calls.names(in: files.rawValue) }
}
