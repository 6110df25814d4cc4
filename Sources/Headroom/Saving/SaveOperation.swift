//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

/// What is done to a file that is being saved, before anything is written to it: nobody sees it yet, it is
/// empty, and if this throws, nothing is left of it.
package typealias SavePreparation = @Sendable (Int32) throws(StorageError) -> Void

/// What is to be saved: where, why and how.
struct SaveOperation: Sendable {
    let core: StorageCore
    let content: ContentClass
    let name: RelativeName
    let durability: Durability
    let intent: Intent
    /// What is to be written, if that is known.
    var size: Int64?
    /// Room that was made for it.
    let room: Reservation?
    /// Whether it is in memory and short, so that nobody can take it for something left behind.
    var isImmediate = false
    var prepare: SavePreparation?
    /// Whether the caller has decided how the content is protected; else its directory and the file
    /// that it replaces do.
    var ownsProtection: Bool { prepare != nil || isSealed }
    /// Whether the content is encrypted, or the caller wants it in plaintext.
    var isSealed = false

    /// Where it goes.
    var path: FilePath {
        var path = core.places.directory(for: content)
        for part in name.parts { path.append(part.text) }
        return path
    }

    /// ``path`` as text, without taking it apart and together.
    var pathText: String { core.prefix(of: content).text + name.text }

    /// The directory it goes to, made if it is missing.
    func openDirectory() throws(Errno) -> Descriptor {
        let root = try core.open(content)
        guard name.isInDirectory else { return root }
        let directory = try DirectoryCreation.open(
            beneath: root.rawValue, name.directories, core.calls)
        core.learnMount(of: content, root.rawValue)
        return directory
    }
}

// MARK: - Errors

extension SaveOperation {
    /// As it stands in a sentence: `save Trip/photo.jpg (14.2 MB) to Documents`.
    var task: String {
        let amount = size.map { " (\(ByteCount($0)))" } ?? ""
        let place = core.places.directory(for: content).lastComponent?.string ?? "its place"
        return "save \(name.text)\(amount) to \(place)"
    }

    /// - Parameter rest: what was not written yet.
    func failure(_ error: Errno, rest: Int64) -> StorageError {
        let path = path.displayText
        switch error {
        case .noSpace, .diskQuotaExceeded:
            return shortage(error, rest)
        case .isDirectory:
            return StorageError(
                .invalidName, "Could not \(task): \(path) is a directory. Use another name.",
                cause: error)
        case .tooManySymbolicLinkLevels, .notDirectory, .improperLink:
            return StorageError(
                .refused,
                "Could not \(task): something on the way to \(path) is a link, a mount or no "
                    + "directory. Use another name, or remove what is in the way.", cause: error)
        case .keyMissing:
            return StorageError(
                .keysMissing,
                "Could not \(task): \(path) is encrypted, and no keys were given for its new content. "
                    + "Save it with a key bag: save(_:as:named:keys:) of HeadroomProtection.",
                cause: error)
        case .readOnlyFileSystem:
            return StorageError(
                .readOnly,
                "Could not \(task): the volume of \(path) is mounted read-only. Remount it "
                    + "read-write first.", cause: error)
        case .permissionDenied, .notPermitted:
            return StorageError(
                .notPermitted,
                "Could not \(task): \(path) may not be written (\(error)). "
                    + "Check who owns its directory.", cause: error)
        default:
            return StorageError(.io, "Could not \(task): \(error) at \(path).", cause: error)
        }
    }

    private func shortage(_ error: Errno, _ rest: Int64) -> StorageError {
        let volume = try? Volume.containing(path)
        let available = volume?.available ?? .zero
        let missing = max(ByteCount(1), ByteCount(rest) - available)
        let limit =
            error == .diskQuotaExceeded
            ? "a quota on the volume \(volume?.mountPoint.displayText ?? "") is used up"
            : "the volume \(volume?.mountPoint.displayText ?? "") has \(available) left"
        return StorageError(
            .insufficientSpace,
            "Could not \(task): \(limit) even after making room. Free \(missing), or save it "
                + "elsewhere.", cause: error, shortBy: missing)
    }
}
