//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

// What goes from a trash directory takes its information file along, and only after itself: as long
// as that stands nobody else uses the name, and a crash in between leaves a note about nothing.
extension PurgeRun {
    /// The information files beside a directory; nil if it is no trash.
    func trashCompanion(of link: DirectoryCursor.Link) -> TrashCompanion? {
        let record = inventory.directories[Int(link.number)]
        guard record.flags.contains(.areaRoot), inventory.area(of: record)?.isTrash == true else {
            return nil
        }
        return TrashCompanion(files: link.descriptor, calls)
    }

    /// Removes a candidate by `remove`, and what is written about it, if it has gone.
    func withCompanion(
        _ companion: TrashCompanion?, of candidate: Candidate, _ remove: () -> Void
    ) {
        guard let companion else { return remove() }
        let name =
            candidate.isItem
            ? inventory.name(ofItem: candidate.number).owned
            : inventory.directories[Int(candidate.number)].name
        let note = companion.note(about: name)
        let before = recorder.receipt.removedCount + unitsLeftBehind
        remove()
        // What was left half emptied cannot be restored either.
        guard let note, recorder.receipt.removedCount + unitsLeftBehind > before else { return }
        if let error = companion.remove(note) {
            recorder.addNote(
                "\(note.name.text) could not be removed from the trash's information: \(error).")
        }
    }
}

/// The directory of information files beside the `files` of a trash directory.
final class TrashCompanion {
    private let info: Descriptor
    private let calls: any FileSystemCalls

    /// An information file, as it was before its item went.
    struct Note {
        let name: FileName
        let identity: FileIdentity
    }

    /// - Parameter files: an open `files` directory.
    /// - Returns: nil if there is no directory of that name beside it; links are not followed.
    init?(files: Int32, _ calls: any FileSystemCalls) {
        self.calls = calls
        let opened: Int32
        do throws(Errno) {
            let trash = try ResolvedDirectory.parent(of: files)
            opened = try TrashInfo.directoryName.withEntryName { (name) throws(Errno) in
                try calls.openDirectory(name, at: trash.rawValue, crossingMounts: false)
            }
        } catch {
            return nil
        }
        info = Descriptor(owning: opened)
    }

    /// - Returns: nil if nothing is written about an item.
    func note(about item: FileName) -> Note? {
        guard let name = TrashInfo.fileName(of: item),
            let status = try? name.withEntryName({ (name) throws(Errno) in
                try calls.status(of: name, at: info.rawValue)
            }), status.type == .regular
        else { return nil }
        return Note(name: name, identity: status.identity)
    }

    /// Removes a note, unless another has taken its name.
    ///
    /// - Returns: what stood in the way; nil if it is gone.
    func remove(_ note: Note) -> Errno? {
        do throws(Errno) {
            try note.name.withEntryName { (name) throws(Errno) in
                guard try calls.status(of: name, at: info.rawValue).identity == note.identity
                else { return }
                try calls.remove(name, at: info.rawValue, isDirectory: false)
            }
            return nil
        } catch {
            return error == .noSuchFileOrDirectory ? nil : error
        }
    }
}
