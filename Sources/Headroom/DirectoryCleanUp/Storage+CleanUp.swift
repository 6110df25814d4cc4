//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Cleans up a directory by age and size, once and in one call: first goes what was not used for
    /// `maxAge`, then the least recently used until `maxSize` is left. Blocks; scans the directory.
    ///
    ///     let report = try await storage.cleanUp(thumbnails)
    ///     print(report.freed)
    ///
    /// For a directory that is to stay within its rules from now on, see
    /// `purgeableDirectory(at:retention:limit:options:)`.
    ///
    /// Sizes are allocated ones, of all that is in it. What is pinned, leased or open stays, files that
    /// changed meanwhile, and what is marked as last resort in a directory that is not.
    ///
    /// - Parameters:
    ///   - directory: any in the app's storage that may be purged, or in which something is marked.
    ///   - maxAge: nil: age does not matter.
    ///   - maxSize: nil: size does not matter.
    ///   - includesHidden: also what begins with a dot, and what is in such directories.
    ///   - count: so many of the most recently used stay, whatever their age and size.
    /// - Throws: ``StorageError`` `refused` if nothing in it may go; `busy` if another purge is at work
    ///   there.
    @discardableResult
    public func cleanUp(
        _ directory: URL, olderThan maxAge: Duration? = CleanUpRules.standardAge,
        toSize maxSize: ByteCount? = CleanUpRules.standardSize, includesHidden: Bool = true,
        keepNewest count: Int = 0
    ) throws(StorageError) -> CleanUpReport {
        let rules = CleanUpRules(
            maxAge: maxAge, maxSize: maxSize,
            sparing: Sparing(hidden: !includesHidden, newest: count))
        do {
            let path = try core.ownDirectory(directory)
            return try core.workspace.cleanUp(
                path, rules,
                requester: "\(owner): clean-up of \(path.displayText)")
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func cleanUp(
        _ directory: URL, olderThan maxAge: Duration? = CleanUpRules.standardAge,
        toSize maxSize: ByteCount? = CleanUpRules.standardSize, includesHidden: Bool = true,
        keepNewest count: Int = 0
    ) async throws(StorageError) -> CleanUpReport {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleanUpReport in
            try cleanUp(
                directory, olderThan: maxAge, toSize: maxSize, includesHidden: includesHidden,
                keepNewest: count)
        }
    }

    /// Makes room in a directory before something is added to it: if its volume would have less than
    /// `reserve` left, the directory is trimmed to `target`, least recently used first. Blocks.
    ///
    /// `makeRoom(for:intent:at:)` spends all that the app may spend, in order, and keeps
    /// the room for you; this one spends the one directory.
    ///
    /// - Returns: what was done; nil if there was room enough.
    /// - Throws: as `cleanUp(_:olderThan:toSize:includesHidden:keepNewest:)`.
    @discardableResult
    public func cleanUp(
        _ directory: URL, beforeAdding bytes: ByteCount, reserve: ByteCount = .megabytes(200),
        target: ByteCount = .megabytes(100)
    ) throws(StorageError) -> CleanUpReport? {
        do {
            let path = try core.ownDirectory(directory)
            return try core.workspace.cleanUp(
                path, beforeAdding: bytes, reserve: reserve, target: target,
                requester: "\(owner): clean-up of \(path.displayText) before \(bytes) are added")
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    @discardableResult
    public func cleanUp(
        _ directory: URL, beforeAdding bytes: ByteCount, reserve: ByteCount = .megabytes(200),
        target: ByteCount = .megabytes(100)
    ) async throws(StorageError) -> CleanUpReport? {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleanUpReport? in
            try cleanUp(directory, beforeAdding: bytes, reserve: reserve, target: target)
        }
    }
}

extension StorageCore {
    /// The path of a directory without links, if it is the app's own to spend.
    fileprivate func ownDirectory(_ url: URL) throws(HeadroomError) -> FilePath {
        let path = try workspace.resolve(FilePath(url.path))
        guard places.own.contains(where: { path.lies(in: $0) }) else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) does not lie in the storage of \(owner.text). Name a directory "
                    + "in \(places.own.map(\.displayText).joined(separator: ", ")).")
        }
        return path
    }
}
