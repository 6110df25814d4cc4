//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomWorkspace
package import SystemPackage

/// Where a download goes, and what it is to be there (R34).
///
/// | intent | place | class | its own mark |
/// |---|---|---|---|
/// | optional | Caches/*owner*/Downloads | cache, by its area | none |
/// | requested | Application Support/*owner*/*collection* | last resort | last resort, not backed up |
/// | essential | the same | essential, as all around it | not backed up |
///
/// The directory itself carries no mark: what one intent needs must not decide for the other.
package struct DownloadPlace: Sendable {
    let core: StorageCore
    package let intent: Intent
    /// Below ``root``.
    let name: RelativeName
    let url: String
    /// The URL, for messages.
    let shown: String

    /// - Parameters:
    ///   - shown: the URL without what may be secret.
    ///   - collection: the directory in Application Support; nil: `Downloads`. Of what is optional,
    ///     a directory in Caches/*owner*/Downloads.
    /// - Throws: `invalidName`.
    package init(
        _ storage: Storage, url: String, shown: String, intent: Intent, collection: String?,
        name: String
    ) throws(StorageError) {
        core = storage.core
        self.intent = intent
        self.url = url
        self.shown = shown
        // Each is looked at by itself: the whole must not hide that one of them is wrong.
        let last = try RelativeName(name)
        let inner = try collection.map { (text) throws(StorageError) in try RelativeName(text) }
        let collection = inner?.text
        switch intent {
        case .optional:
            self.name = try RelativeName(
                ["Downloads", collection, last.text].compactMap(\.self).joined(separator: "/"))
        case .requested, .essential:
            self.name = try RelativeName((collection ?? "Downloads") + "/" + last.text)
        }
    }

    /// By which the volume and the directory are known.
    var content: ContentClass { intent == .optional ? .cache : .essential(.appData) }

    private var root: FilePath { core.places.directory(for: content) }

    /// Where the finished file is.
    package var path: FilePath {
        var path = root
        for part in name.parts { path.append(part.text) }
        return path
    }

    /// What the unfinished file is called: of one URL to one place there is only one.
    var partialName: FileName {
        let key = SHA256.digest(of: "\(url)\n\(path.string)").prefix(16)
        return FileName(unchecked: Array(key.utf8) + PartialDirectory.suffix)
    }

    /// Opens the directories, making what is missing. Blocks.
    ///
    /// - Throws: `invalidName` if the name is taken by a directory; `keysMissing` if files there have to
    ///   be encrypted; `insufficientSpace`, `refused`, `notPermitted`, `io`.
    package func open() throws(StorageError) -> OpenedPlace {
        if let found = core.protectionOfNewFiles(in: content, name.directoryBytes),
            // mutation: r36a-3
            found != .level(.none)
        {
            throw StorageError(
                .keysMissing,
                "Could not download \(shown): new files in "
                    + "\(path.removingLastComponent().displayText) have to be encrypted (protection "
                    + "\(found.name)), and downloads are not. Download it elsewhere, and save it from "
                    + "there with a key bag.")
        }
        // A ledger that is made on this volume takes room of it.
        _ = core.workspace
        return try core.makingRoom(for: content, intent, to: "download \(shown)") {
            () throws(StorageError) in
            do throws(Errno) {
                return try openDirectories()
            } catch {
                throw failure(error)
            }
        }
    }

    private func openDirectories() throws(Errno) -> OpenedPlace {
        let base = try core.open(content)
        let parent = try DirectoryCreation.open(
            beneath: base.rawValue, name.directories, core.calls)
        let isTaken = try name.last.withEntryName { (entry) throws(Errno) -> Bool in
            do throws(Errno) {
                return try core.calls.status(of: entry, at: parent.rawValue).type == .directory
            } catch .noSuchFileOrDirectory {
                return false
            }
        }
        if isTaken { throw .isDirectory }
        let partials = try DirectoryCreation.open(
            beneath: base.rawValue, [FileName(unchecked: Array(PartialDirectory.name.utf8))],
            core.calls)
        core.markPartials(root.appending(PartialDirectory.name))
        let directory = PartialDirectory(partials, core.calls)
        directory.sweep(now: core.clock())
        return OpenedPlace(self, parent, directory)
    }

    /// What a system's error means for this download.
    package func failure(_ error: Errno) -> StorageError {
        let place = path.displayText
        switch error {
        case .isDirectory:
            return StorageError(
                .invalidName,
                "Could not download \(shown): \(place) is a directory. Use another name.",
                cause: error)
        case .tooManySymbolicLinkLevels, .notDirectory, .improperLink:
            return StorageError(
                .refused,
                "Could not download \(shown): something on the way to \(place) is a link, a mount or "
                    + "no directory. Use another name, or remove what is in the way.", cause: error)
        case .readOnlyFileSystem:
            return StorageError(
                .readOnly,
                "Could not download \(shown): the volume of \(place) is mounted read-only. Remount it "
                    + "read-write first.", cause: error)
        case .permissionDenied, .notPermitted:
            return StorageError(
                .notPermitted,
                "Could not download \(shown): \(place) may not be written (\(error)). "
                    + "Check who owns its directory.", cause: error)
        case .noSpace, .diskQuotaExceeded:
            return StorageError(
                .insufficientSpace,
                "Could not download \(shown): the volume of \(place) is full (\(error)). Free some "
                    + "space on it, or delete a file.", cause: error, shortBy: ByteCount(1))
        default:
            return StorageError(
                .io, "Could not download \(shown): \(error) at \(place).", cause: error)
        }
    }
}

extension StorageCore {
    /// The area says it to us; the mark says it to every other program that reads marks.
    fileprivate func markPartials(_ path: FilePath) {
        // mutation: r34f-1
        let wanted = Mark(purgeClass: .temporary, isExcludedFromBackup: true)
        // Without it the area still holds; the next download tries again.
        if (try? workspace.marks.mark(of: path)) != wanted {
            _ = try? workspace.marks.update(path) { $0 = wanted.inheriting($0) }
        }
    }
}
