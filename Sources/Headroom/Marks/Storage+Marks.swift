//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
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
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`; `refused` if it lies outside of the
    ///   container or home, is a place that has a role of its own, or cannot carry a mark.
    public func mark(_ url: URL, _ markings: Marking...) throws(StorageError) {
        let path = try core.markable(url)
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
    /// - Throws: as ``mark(_:_:)``.
    public func clearMark(of url: URL) throws(StorageError) {
        let path = try core.markable(url)
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
    /// The path of something within the container or home.
    func ours(_ url: URL) throws(StorageError) -> FilePath {
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
        let isOurs =
            resolved.lies(in: places.root) || resolved.lies(in: places.temporary)
        guard isOurs else {
            throw StorageError(
                .refused,
                "\(path.displayText) lies outside of \(places.root.displayText). "
                    + "Only what is in it can be marked.")
        }
        return resolved
    }

    /// The same of something that may be marked: no place that has a role of its own.
    func markable(_ url: URL) throws(StorageError) -> FilePath {
        let resolved = try ours(url)
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
