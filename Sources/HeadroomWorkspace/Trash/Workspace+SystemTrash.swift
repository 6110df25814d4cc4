//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomPurging
import SystemPackage

extension Workspace {
    /// Has the system move something to its trash.
    ///
    /// - Parameter status: what it is; renaming changes nothing of that.
    /// - Returns: where it is then; nil if the system does not say.
    func put(
        _ path: FilePath, _ status: FileStatus, in trash: any SystemTrashing
    ) throws(HeadroomError) -> Receipt.Trashed? {
        guard let place = try trash.put(path) else { return nil }
        // Where it lies may not be looked at by everybody: then it is what it was.
        let identity = (try? Relocation.status(place)) ?? status
        return Receipt.Trashed(
            path: path, place: place, inode: identity.identity.inode, created: identity.created)
    }

    /// Brings back what a disposal has had the system move to its trash, what went last first. Nothing is
    /// replaced. Blocks.
    ///
    /// What is not where the system had put it any more is left out: somebody has restored it, or emptied
    /// the trash.
    ///
    /// - Returns: what is back, and what is not and why, in the order in which it was thrown away.
    func restore(
        _ trashed: [Receipt.Trashed], creatingParents: Bool
    ) -> (restored: [FilePath], kept: [Receipt.Skipped]) {
        var restored: [FilePath] = []
        var kept: [Receipt.Skipped] = []
        for item in trashed.reversed() {
            do throws(HeadroomError) {
                if try restore(item, creatingParents: creatingParents) {
                    restored.append(item.path)
                }
            } catch {
                kept.append(
                    Receipt.Skipped(path: item.path, reason: Reason(.failed, error.message)))
            }
        }
        return (restored.reversed(), kept.reversed())
    }

    /// - Returns: false if it is not there any more.
    private func restore(
        _ item: Receipt.Trashed, creatingParents: Bool
    ) throws(HeadroomError) -> Bool {
        guard try isThere(item) else { return false }
        guard let last = item.path.lastComponent, last.kind == .regular,
            let name = FileName(FilePath(root: nil, [last]).bytes)
        else {
            throw HeadroomError(
                .refused, "It is not known where \(item.place.displayText) was.")
        }
        let parent = try Trash.openParent(of: item.path, creating: creatingParents)
        do throws(Errno) {
            try restore(item, to: name, in: parent)
            return true
        } catch {
            throw Self.translated(error, item)
        }
    }

    private func isThere(_ item: Receipt.Trashed) throws(HeadroomError) -> Bool {
        do throws(Errno) {
            return item.isMeant(try Relocation.status(item.place))
        } catch .noSuchFileOrDirectory {
            return false
        } catch .notDirectory {
            return false
        } catch {
            throw Self.translated(error, item)
        }
    }

    private func restore(
        _ item: Receipt.Trashed, to name: FileName, in parent: borrowing Descriptor
    ) throws(Errno) {
        let directory = parent.rawValue
        try Relocation.move(item.place, to: name, in: directory)
        let moved = try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: directory)
        }
        guard !item.isMeant(moved) else { return }
        // Exchanged between the look and the move: what is not meant goes back.
        try Relocation.move(name, from: directory, backTo: item.place)
        throw .staleNFSFileHandle
    }

    private static func translated(_ error: Errno, _ item: Receipt.Trashed) -> HeadroomError {
        let path = item.path.displayText
        switch error {
        case .fileExists:
            return HeadroomError(
                .refused,
                "\(path) cannot come back: something else has its name now, and is not replaced. "
                    + "Rename that, and undo again.", cause: error)
        case .improperLink:
            return HeadroomError(
                .refused,
                "\(path) lies on another volume than the trash, and nothing is copied.",
                cause: error)
        case .noSuchFileOrDirectory, .staleNFSFileHandle:
            return HeadroomError(
                .notFound, "\(path) is not in the trash any more.", cause: error)
        case .notPermitted, .permissionDenied:
            return HeadroomError(
                .notPermitted,
                "\(path) could not be taken out of the trash: \(error). The system may keep programs "
                    + "from its trash; there a person brings it back, as with the Finder.",
                cause: error)
        default: return HeadroomError("restore", item.path, error)
        }
    }
}
