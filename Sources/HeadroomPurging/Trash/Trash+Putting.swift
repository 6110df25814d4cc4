//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

extension Trash {
    /// Moves something to the trash of its volume.
    ///
    /// What is written about it comes first and takes the name; then it is renamed, within the volume
    /// and never by copying; then it is asked whether it is what was meant.
    ///
    /// - Parameters:
    ///   - name, parent: where it is, in an open directory.
    ///   - path: the same for the information; absolute and without links.
    ///   - status: what it was when it was named.
    /// - Throws: `refused` if it is not that any more, or if its volume has no trash.
    package func put(
        _ name: FileName, at parent: borrowing Descriptor, path: FilePath, _ status: FileStatus,
        receipt: TrashInfo.Entry
    ) throws(HeadroomError) -> TrashItem {
        var failure = Errno.noSuchFileOrDirectory
        var notes: [String] = []
        for candidate in candidates(for: status) {
            let trash: OpenTrash
            do throws(TrashRefusal) {
                trash = try open(candidate)
            } catch {
                failure = error.cause
                if let note = note(on: candidate, error) { notes.append(note) }
                continue
            }
            guard trash.status.isOnMount(of: status) else {
                failure = .improperLink
                continue
            }
            do throws(Errno) {
                return try move(name, at: parent, path: path, status, receipt, to: trash)
            } catch {
                // A subvolume, or a lower layer: another directory of the volume may do.
                if error != .improperLink {
                    throw Self.translated(error, path, hasTrash: true, notes: [])
                }
                failure = error
            }
        }
        throw Self.translated(failure, path, hasTrash: false, notes: notes)
    }

    /// Why a directory at the root of the item's volume is not used; nil if it does not exist yet.
    private func note(on place: Place, _ refusal: TrashRefusal) -> String? {
        let path: FilePath
        switch place {
        case .home: return nil
        case .shared(let point): path = point.appending(".Trash/\(places.user)")
        case .own(let point): path = point.appending(".Trash-\(places.user)")
        }
        // The error itself says this.
        if case .failed = refusal { return nil }
        return refusal.note(on: path, user: places.user)?.text
    }

    // MARK: - Which trash

    private enum Place {
        case home
        case shared(FilePath)
        case own(FilePath)
    }

    /// The home's trash if it is on the same mount, else that of the volume.
    private func candidates(for status: FileStatus) -> [Place] {
        // Without a mount table there is the home's trash alone.
        guard status.mountID != 0, let table = try? MountTable.current(),
            let point = table.mount(id: status.mountID)?.point
        else { return [.home] }
        return [.home, .shared(point), .own(point)]
    }

    private func open(_ place: Place) throws(TrashRefusal) -> OpenTrash {
        switch place {
        case .home: return try places.openHome(making: true)
        case .shared(let point):
            return try places.openShared(try Self.top(point), point, making: true)
        case .own(let point):
            return try places.openOwn(try Self.top(point), point, making: true)
        }
    }

    private static func top(_ point: FilePath) throws(TrashRefusal) -> Descriptor {
        do throws(Errno) {
            return try DirectoryCreation.existing(point)
        } catch {
            throw TrashRefusal(error)
        }
    }

    // MARK: - The move

    private func move(
        _ name: FileName, at parent: borrowing Descriptor, path: FilePath, _ status: FileStatus,
        _ receipt: TrashInfo.Entry, to trash: OpenTrash
    ) throws(Errno) -> TrashItem {
        var written = path
        if let volume = trash.directory.volume {
            // By the specification paths on volumes are relative, so that they may be mounted elsewhere.
            guard written.removePrefix(volume) else { throw .improperLink }
        }
        let now = clock()
        let information = TrashInfo(path: written, deleted: now, receipt: receipt)
        let descriptor = parent.rawValue
        return try name.withEntryName { (entry) throws(Errno) in
            // Held, so that its number is nobody else's until it is there.
            let handle = try InodeHandle(entry, at: descriptor)
            guard try handle.status(calls).identity == status.identity else {
                throw .staleNFSFileHandle
            }
            let newName = try move(name, descriptor, status.identity, to: trash, information)
            _ = consume handle
            return TrashItem(
                directory: trash.directory, name: newName, originalPath: path, deleted: now,
                agesFrom: now, isDateKnown: true, receipt: receipt.id, type: status.type,
                identity: status.identity)
        }
    }

    /// - Returns: its name in the trash.
    private func move(
        _ name: FileName, _ descriptor: Int32, _ identity: FileIdentity, to trash: OpenTrash,
        _ information: TrashInfo
    ) throws(Errno) -> FileName {
        for number in 1...10_000 {
            guard let newName = Self.name(name, number: number),
                let infoName = TrashInfo.fileName(of: newName)
            else { throw .fileNameTooLong }
            do throws(Errno) {
                try Relocation.create(
                    infoName, at: trash.info.rawValue, content: information.content)
            } catch {
                if error == .fileExists { continue }
                throw error
            }
            do throws(Errno) {
                try Relocation.move(name, from: descriptor, to: newName, in: trash.files.rawValue)
            } catch {
                // What could not be moved has no need of a note.
                try? trash.removeInformation(about: newName)
                if error == .fileExists { continue }
                throw error
            }
            try verify(newName, is: identity, in: trash, elseBackTo: name, descriptor)
            return newName
        }
        throw .fileExists
    }

    /// Somebody may have exchanged the item between the last look and the move: then it goes back.
    private func verify(
        _ item: FileName, is identity: FileIdentity, in trash: OpenTrash,
        elseBackTo name: FileName, _ parent: Int32
    ) throws(Errno) {
        guard try trash.status(of: item).identity != identity else { return }
        // If its name is taken it stays in the trash, with the note that says where it was.
        try Relocation.move(item, from: trash.files.rawValue, to: name, in: parent)
        try trash.removeInformation(about: item)
        throw .staleNFSFileHandle
    }

    /// `photo.jpg`, `photo.2.jpg`, `photo.3.jpg`: short enough for `.trashinfo` to follow.
    static func name(_ name: FileName, number: Int) -> FileName? {
        let limit = 255 - TrashInfo.suffix.count
        let counter = number == 1 ? [] : Array(".\(number)".utf8)
        let dot = name.bytes.dropFirst().lastIndex(of: UInt8(ascii: "."))
        var stem = name.bytes[..<(dot ?? name.bytes.endIndex)]
        var ending = name.bytes[(dot ?? name.bytes.endIndex)...]
        if ending.count > 32 {
            stem = name.bytes[...]
            ending = []
        }
        let room = limit - counter.count - ending.count
        if stem.count > room {
            let next = stem[stem.startIndex + room]
            stem = stem.prefix(room)
            // Not in the middle of a character, which has three more bytes at most; of what is no text
            // nobody knows where one ends.
            if next & 0xC0 == 0x80,
                let first = stem.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }),
                stem[first] >= 0xC0
            {
                stem = stem[..<first]
            }
        }
        return FileName(Array(stem) + counter + Array(ending))
    }

    /// - Parameters:
    ///   - hasTrash: the trash directory was open, and the move itself failed.
    ///   - notes: why other directories of the volume are not used.
    private static func translated(
        _ error: Errno, _ path: FilePath, hasTrash: Bool, notes: [String]
    ) -> HeadroomError {
        let text = path.displayText
        let start = "Could not move \(text) to the Trash: "
        let rest = (notes + ["--permanently needs no Trash."]).joined(separator: " ")
        switch error {
        case .staleNFSFileHandle:
            return HeadroomError(
                .refused, "\(text) is not what it was when it was named. It was left alone.",
                cause: error)
        case .improperLink:
            return HeadroomError(
                .refused,
                "\(text) cannot be moved to a trash directory in one step (it lies in a subvolume or "
                    + "in a lower layer of its own), and nothing is copied. It was left alone.",
                cause: error)
        case .readOnlyFileSystem:
            return HeadroomError(
                .readOnly, start + "its volume is mounted read-only. Remount it read-write first.",
                cause: error)
        case .permissionDenied where hasTrash, .notPermitted where hasTrash:
            return HeadroomError(
                .notPermitted,
                start + "you can't change the directory that it is in (\(error)). "
                    + HeadroomError.permissionAdvice, cause: error)
        case .permissionDenied, .notPermitted, .notDirectory:
            return HeadroomError(
                .notPermitted,
                start + "its volume has no Trash that you can use, and you can't create one "
                    + "(\(error)). " + rest, cause: error)
        case .notSupported, .noFunction, .invalidArgument:
            return HeadroomError(
                .unsupported,
                start + "its file system can't move a file without replacing another (\(error)). "
                    + rest, cause: error)
        case .noSpace, .diskQuotaExceeded:
            return HeadroomError(
                .noSpace,
                "\(text) could not be moved to the trash: its volume has no room for the note that "
                    + "says where it was, without which it would not come back. It was left alone. "
                    + "headroom purge makes room; --permanently needs no trash.",
                cause: error)
        default: return HeadroomError("move to the trash", path, error)
        }
    }
}

extension FileStatus {
    /// Whether something can be renamed from where another file is to this directory.
    fileprivate func isOnMount(of other: FileStatus) -> Bool {
        mountID != 0 && other.mountID != 0
            ? mountID == other.mountID : identity.device == other.identity.device
    }
}
