//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// What a mark can say.
    public enum Marking: Hashable, Sendable {
        /// May go when room is needed, as a cache.
        case purgeable
        /// May go when there is really nothing else to give.
        case lastResort
        /// Exempt from every purge until unpinned.
        case pinned
        case unpinned
        /// 0…100: within a class, the less important goes first.
        case importance(UInt8)
        /// Left out of backups.
        case noBackup
    }

    /// Marks a file or directory; what lies in a directory inherits. Blocks; on disk when it returns.
    ///
    /// A purgeable or last-resort file is also left out of backups, in every format that it can carry
    /// (`backupExclusion(of:)` shows them), until you clear the mark or call `includeInBackup(_:)`.
    ///
    /// - Parameter allowingForeignPaths: also marks files outside of the app's own storage (its container,
    ///   or in a home its own directories and Documents). Other programs and people own those.
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`; `refused` if it lies outside of the app's
    ///   storage, is a directory with a role of its own, or cannot carry a mark.
    public func mark(
        _ url: URL, _ markings: Marking..., allowingForeignPaths: Bool = false
    ) throws(StorageError) {
        let path = try core.markable(url, allowingForeignPaths)
        do {
            try core.workspace.mark(path) { mark in
                for marking in markings { mark.apply(marking) }
            }
        } catch {
            throw StorageError(error)
        }
    }

    /// Takes the mark of a file or directory away, also a damaged one. What it inherits stays. Blocks; on disk
    /// when it returns.
    ///
    /// - Parameter allowingForeignPaths: as for ``mark(_:_:allowingForeignPaths:)``.
    /// - Throws: as that.
    public func clearMark(
        of url: URL, allowingForeignPaths: Bool = false
    ) throws(StorageError) {
        let path = try core.markable(url, allowingForeignPaths)
        do {
            try core.workspace.marks.clear(path)
        } catch {
            throw StorageError(error)
        }
    }

    /// The mark that holds for a file or directory: its own, and what the directories around it hand
    /// down. Blocks.
    public func mark(of url: URL) throws(StorageError) -> Mark {
        do {
            return try core.workspace.effectiveMark(of: FilePath(url.path))
        } catch {
            throw StorageError(error)
        }
    }
}

extension Mark {
    fileprivate mutating func apply(_ marking: Storage.Marking) {
        switch marking {
        case .purgeable: purgeClass = .cache
        case .lastResort: purgeClass = .lastResort
        case .pinned: isPinned = true
        case .unpinned: isPinned = false
        case .importance(let value): importance = min(value, 100)
        case .noBackup: isExcludedFromBackup = true
        }
    }
}

extension StorageCore {
    /// The path of something within the app's own storage.
    func ours(_ url: URL, _ allowingForeignPaths: Bool) throws(StorageError) -> FilePath {
        let path = FilePath(url.path).settled
        let resolved: FilePath
        do {
            // Links on the way are followed, the last component is not.
            let parent = try ResolvedDirectory(path.removingLastComponent()).path
            guard let last = path.lastComponent else {
                throw StorageError(.refused, "The root of the file tree is nobody's to mark.")
            }
            resolved = parent.appending(last)
        } catch let error as Errno {
            throw StorageError(HeadroomError("mark", path, error))
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.io, "\(error)")
        }
        // mutation: r21d-1
        if allowingForeignPaths || disposable.contains(where: { liesIn(resolved, $0) }) {
            return resolved
        }
        do {
            _ = try located(resolved)
        } catch {
            throw StorageError(error)
        }
        throw StorageError(
            .refused,
            "\(path.displayText) does not lie in the storage of \(owner.text) "
                + "(\(disposable.map(\.displayText).joined(separator: ", "))), and was not marked. "
                + "Mark a file in there, or pass allowingForeignPaths: true.")
    }

    /// Whether something lies in one of the app's directories, which may be reached by a link.
    private func liesIn(_ resolved: FilePath, _ directory: FilePath) -> Bool {
        if resolved.lies(in: directory) { return true }
        // One that is not there has nothing in it.
        guard let real = try? ResolvedDirectory(directory).path else { return false }
        return resolved.lies(in: real)
    }

    /// The same of something that may be marked: no place that has a role of its own.
    func markable(
        _ url: URL, _ allowingForeignPaths: Bool = false
    ) throws(StorageError) -> FilePath {
        let resolved = try ours(url, allowingForeignPaths)
        let guarded = places.layout.guardedPlaces.first { place in
            place.path == resolved || (place.rule == .never && resolved.lies(in: place.path))
        }
        if let place = guarded {
            throw StorageError(
                .refused,
                "\(resolved.displayText) is \(place.name), and stays what it is. "
                    + "Mark a directory in it.")
        }
        return resolved
    }
}
