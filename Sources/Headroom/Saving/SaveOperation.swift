//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// One file on its way to its place.
struct SaveOperation {
    let core: StorageCore
    let content: ContentClass
    let name: RelativeName
    let durability: Durability
    let intent: Intent
    /// What is to be written, if that is known.
    let size: Int64?

    /// Where it goes.
    var path: FilePath {
        var path = core.places.directory(for: content)
        for part in name.directories + [name.last] { path.append(part.text) }
        return path
    }

    /// Writes the file. If there is no room, makes room once, within what the intent may spend, and
    /// writes it again from the start.
    ///
    /// - Parameter write: called once or twice.
    func run(_ write: (NewFile) throws(Errno) -> Void) throws(StorageError) -> FilePath {
        do {
            try attempt(write)
            return path
        } catch .noSpace, .diskQuotaExceeded {
            let room = RoomRequest(core: core, content: content, intent: intent)
            try room.free(forWriting: size ?? 0, of: describe)
        } catch {
            throw failure(error)
        }
        do {
            try attempt(write)
            return path
        } catch {
            throw failure(error)
        }
    }

    private func attempt(_ write: (NewFile) throws(Errno) -> Void) throws(Errno) {
        let root = try core.open(content)
        if name.directories.isEmpty {
            return try attempt(write, in: root.rawValue)
        }
        let parent = try DirectoryCreation.open(
            beneath: root.rawValue, name.directories, core.calls)
        try attempt(write, in: parent.rawValue)
    }

    private func attempt(
        _ write: (NewFile) throws(Errno) -> Void, in directory: Int32
    ) throws(Errno) {
        let old = try replaced(in: directory)
        let file = try NewFile(in: directory)
        try write(file)
        if let old {
            if old.status.permissions != 0o644 { try file.setPermissions(old.status.permissions) }
            if let mark = old.mark {
                try core.calls.setAttribute(
                    MarkAttribute.name, to: mark, of: file.descriptor.rawValue)
            }
        }
        if durability == .full { try file.synchronize() }
        try name.last.withEntryName { (entry) throws(Errno) in try file.publish(as: entry) }
        if durability == .full { try core.calls.synchronize(directory) }
        if let mark = old?.mark { record(mark) }
    }

    private struct Replaced {
        var status: FileStatus
        /// The value of the mark's attribute, whatever it says: it goes along as it is.
        var mark: [UInt8]?
    }

    /// The file that stands at the name already.
    private func replaced(in directory: Int32) throws(Errno) -> Replaced? {
        try name.last.withEntryName { (entry) throws(Errno) -> Replaced? in
            let status: FileStatus
            do throws(Errno) {
                status = try core.calls.status(of: entry, at: directory)
            } catch .noSuchFileOrDirectory {
                return nil
            }
            if status.type == .directory { throw .isDirectory }
            guard status.type == .regular else { return nil }
            let mark = try core.calls.attribute(MarkAttribute.name, of: entry, at: directory)
            return Replaced(status: status, mark: mark)
        }
    }

    /// Tells the ledger that the mark is now another inode's: our own save has replaced the file.
    private func record(_ mark: [UInt8]) {
        let attribute = MarkAttribute(decoding: mark)
        guard !attribute.isDamaged, !attribute.mark.isEmpty else { return }
        // The attribute holds; what the ledger lacks it reads from there.
        _ = try? core.workspace.marks.update(path) { $0 = attribute.mark }
    }

    // MARK: - Errors

    private var describe: String {
        let amount = size.map { " (\(ByteCount($0)))" } ?? ""
        let place = core.places.directory(for: content).lastComponent?.string ?? "its place"
        return "\(name.text)\(amount) to \(place)"
    }

    private func failure(_ error: Errno) -> StorageError {
        let path = path.displayText
        switch error {
        case .noSpace, .diskQuotaExceeded:
            let volume = try? Volume.containing(self.path)
            let available = volume?.available ?? .zero
            let missing = max(ByteCount(1), ByteCount(size ?? 0) - available)
            return StorageError(
                .insufficientSpace,
                "Could not save \(describe): the volume \(volume?.mountPoint.displayText ?? "") has "
                    + "\(available) left even after making room. Free \(missing), or save it "
                    + "elsewhere.", cause: error, shortBy: missing)
        case .isDirectory:
            return StorageError(
                .invalidName,
                "Could not save \(describe): \(path) is a directory. Use another name.",
                cause: error)
        case .tooManySymbolicLinkLevels, .notDirectory, .improperLink:
            return StorageError(
                .refused,
                "Could not save \(describe): something on the way to \(path) is a link, a mount or "
                    + "no directory. Use another name, or remove what is in the way.", cause: error)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            return StorageError(
                .notPermitted,
                "Could not save \(describe): \(path) may not be written (\(error)). "
                    + "Check who owns its directory.", cause: error)
        default:
            return StorageError(
                .io, "Could not save \(describe): \(error) at \(path).", cause: error)
        }
    }
}
