//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlatform
public import SystemPackage

extension Trash {
    /// Brings something back to where it was, as it was: content, times, mode and attributes.
    ///
    /// Nothing is replaced. Blocks.
    ///
    /// - Parameters:
    ///   - destination: another place; an absolute path, with the name that it is to have.
    ///   - creatingParents: makes the directories around it that are missing, with mode 0700.
    /// - Returns: where it is now.
    /// - Throws: `refused` if something has its name, if it is not known where it was, or if it would
    ///   have to be copied to another volume; `notFound` if it, or the directory it was in, is gone;
    ///   `readOnly` if its volume is mounted read-only.
    @discardableResult
    public func restore(
        _ item: TrashItem, to destination: FilePath? = nil, creatingParents: Bool = false
    ) throws(HeadroomError) -> FilePath {
        guard let target = destination ?? item.originalPath, target.isAbsolute,
            let last = target.lastComponent, last.kind == .regular,
            let name = FileName(FilePath(root: nil, [last]).bytes)
        else {
            throw HeadroomError(
                .refused,
                "It is not known where \(item.path.displayText) was. Say where it is to go: "
                    + "headroom trash restore --to PATH.")
        }
        let trash = try open(item.directory)
        if let advice = trash.directory.readOnlyAdvice {
            throw HeadroomError(
                .readOnly,
                "Could not restore \(item.shownPath.displayText). \(advice) Or copy the file "
                    + "\(item.path.displayText).", cause: .readOnlyFileSystem)
        }
        let parent = try Self.openParent(of: target, creating: creatingParents)
        do throws(Errno) {
            try trash.move(item.name, of: item.identity, to: name, in: parent.rawValue)
        } catch {
            throw Self.translated(error, item, target)
        }
        // It is back; a note that stays is about nothing, and goes when the trash is emptied.
        try? trash.removeInformation(about: item.name)
        return target
    }

    /// Brings back what a receipt has thrown away, what went last first. Blocks.
    ///
    /// - Returns: what is back, and what is not and why, in the order in which it was thrown away.
    public func restore(
        receipt id: String, creatingParents: Bool = false
    ) -> (restored: [FilePath], kept: [Receipt.Skipped]) {
        var restored: [FilePath] = []
        var kept: [Receipt.Skipped] = []
        let items = list(measuring: false).items.filter { $0.receipt == id }
        for item in items.sorted(by: { $0.number > $1.number }) {
            do throws(HeadroomError) {
                restored.append(try restore(item, creatingParents: creatingParents))
            } catch {
                kept.append(
                    Receipt.Skipped(
                        path: item.shownPath, reason: Reason(error.code.reason, error.message)))
            }
        }
        return (restored.reversed(), kept.reversed())
    }

    package static func openParent(
        of target: FilePath, creating: Bool
    ) throws(HeadroomError) -> Descriptor {
        let parent = target.removingLastComponent()
        do throws(Errno) {
            return creating
                ? try DirectoryCreation.open(parent) : try DirectoryCreation.existing(parent)
        } catch {
            guard error == .noSuchFileOrDirectory else {
                throw HeadroomError("restore to", target, error)
            }
            throw HeadroomError(
                .notFound,
                "\(target.displayText) cannot come back: the directory it was in is gone. Restore "
                    + "that first, or have it made: headroom trash restore --parents, or restore to "
                    + "another place with --to.", cause: error)
        }
    }

    private static func translated(
        _ error: Errno, _ item: TrashItem, _ target: FilePath
    ) -> HeadroomError {
        switch error {
        case .fileExists:
            HeadroomError(
                .refused,
                "\(target.displayText) cannot come back: something else has its name now, and is "
                    + "not replaced. Rename that, or restore to another place with --to.",
                cause: error)
        case .improperLink:
            HeadroomError(
                .refused,
                "\(target.displayText) lies on another volume than the trash, and nothing is copied. "
                    + "Restore it to a place on the volume of \(item.directory.path.displayText).",
                cause: error)
        case .noSuchFileOrDirectory, .staleNFSFileHandle:
            HeadroomError(
                .notFound,
                "\(item.shownPath.displayText) is not in the trash any more.", cause: error)
        default: HeadroomError("restore", target, error)
        }
    }
}

extension OpenTrash {
    /// Moves an item out, if it is the one that is meant.
    ///
    /// - Throws: `ESTALE` if another has its name; `EEXIST`, `EXDEV` and others of renameat2(2).
    func move(
        _ item: FileName, of identity: FileIdentity, to name: FileName, in parent: Int32
    ) throws(Errno) {
        try item.withEntryName { (entry) throws(Errno) in
            // Held, so that its number is nobody else's until it is there.
            let handle = try InodeHandle(entry, at: files.rawValue)
            guard try handle.status(calls).identity == identity else { throw .staleNFSFileHandle }
            try Relocation.move(item, from: files.rawValue, to: name, in: parent)
            let moved = try name.withEntryName { (entry) throws(Errno) in
                try calls.status(of: entry, at: parent)
            }
            guard moved.identity != identity else { return }
            // Exchanged between the look and the move: what is not meant goes back.
            try Relocation.move(name, from: parent, to: item, in: files.rawValue)
            _ = consume handle
            throw .staleNFSFileHandle
        }
    }
}
