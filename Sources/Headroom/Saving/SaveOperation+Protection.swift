//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

extension SaveOperation {
    /// Rejects a save without keys where content has to be encrypted.
    ///
    /// - Throws: `keysMissing`.
    func checkProtection() throws(StorageError) {
        guard !ownsProtection,
            let found = core.protectionOfNewFiles(in: content, name.directoryBytes),
            found != .level(.none)
        else { return }
        throw StorageError(
            .keysMissing,
            "Could not \(task): new files in \(path.removingLastComponent().displayText) have to be "
                + "encrypted (protection \(found.name)), and no keys were given. Save it with a "
                + "key bag: save(_:as:named:keys:) of HeadroomProtection.")
    }
}

extension StorageCore {
    /// How new files have to be protected in a directory: what the nearest directory says, up to the
    /// container or home.
    ///
    /// - Parameter directories: below that of the class, as a path with a slash at its end; empty for
    ///   that itself.
    /// - Returns: nil if none says anything.
    func protectionOfNewFiles(
        in content: ContentClass, _ directories: ArraySlice<UInt8>
    ) -> Protection? {
        let prefix = prefix(of: content).bytes
        var end = directories.endIndex
        while end > directories.startIndex {
            if let found = DirectoryProtection.read(
                prefix: prefix + directories[..<end], calls)
            {
                return found
            }
            let inner = directories[..<(end - 1)].lastIndex(of: UInt8(ascii: "/"))
            end = inner.map { $0 + 1 } ?? directories.startIndex
        }
        return DirectoryProtection.read(prefix: prefix, calls) ?? outerProtection(of: content)
    }

    /// What the directories around that of a class say. They are asked now and then only: each of many
    /// small saves would pay for it.
    private func outerProtection(of content: ContentClass) -> Protection? {
        let now = ContinuousClock.now
        let changes = DirectoryProtection.changes
        if let known = outerProtections.withLock({ $0[content] }), known.changes == changes,
            now < known.end
        {
            return known.protection
        }
        var found: Protection?
        var directory = places.directory(for: content)
        while found == nil, directory != places.root, directory.lies(in: places.root) {
            directory.removeLastComponent()
            found = DirectoryProtection.read(prefix: directory.bytes + [UInt8(ascii: "/")], calls)
        }
        let known = OuterProtection(
            protection: found, changes: changes, end: now.advanced(by: .milliseconds(20)))
        outerProtections.withLock { $0[content] = known }
        return found
    }

    /// What was found around the directory of a class.
    struct OuterProtection: Sendable {
        var protection: Protection?
        /// ``DirectoryProtection/changes`` before it was asked.
        var changes: Int
        var end: ContinuousClock.Instant
    }
}
