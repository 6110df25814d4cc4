//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
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
    /// Returns the protection that new files in a directory need: that of the nearest directory that sets
    /// one, up to the container or home.
    ///
    /// The result is cached for a moment, until this process changes a protection: the lookup would slow
    /// down each of many small saves.
    ///
    /// - Parameter directories: below that of the class, as a path with a slash at its end; empty for
    ///   that itself.
    /// - Returns: nil if no directory sets one.
    func protectionOfNewFiles(
        in content: ContentClass, _ directories: ArraySlice<UInt8>
    ) -> Protection? {
        let now = ContinuousClock.now
        let changes = DirectoryProtection.changes
        if let known = knownProtections.withLock({ $0[content] }), known.changes == changes,
            now < known.end, known.directories[...] == directories
        {
            return known.protection
        }
        let found = findProtection(in: content, directories)
        let known = KnownProtection(
            directories: Array(directories), protection: found, changes: changes,
            end: now.advanced(by: .milliseconds(20)))
        knownProtections.withLock { $0[content] = known }
        return found
    }

    private func findProtection(
        in content: ContentClass, _ directories: ArraySlice<UInt8>
    ) -> Protection? {
        let prefix = prefix(of: content)
        let path = prefix.bytes + directories
        var end = path.endIndex
        while true {
            if let found = DirectoryProtection.read(prefix: Array(path[..<end]), calls) {
                return found
            }
            guard end > prefix.rootLength,
                let slash = path[..<(end - 1)].lastIndex(of: UInt8(ascii: "/"))
            else { return nil }
            end = slash + 1
        }
    }

    /// The protection that was found for the directory of the last save.
    struct KnownProtection: Sendable {
        /// As a path below the directory of the class.
        var directories: [UInt8]
        var protection: Protection?
        /// ``DirectoryProtection/changes`` before the lookup.
        var changes: Int
        /// Until when it is valid.
        var end: ContinuousClock.Instant
    }
}
