//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
public import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Cleans up a directory by the standard rules: removes files that were not used for seven days, then
    /// the least recently used files until the directory occupies at most 500 MiB. Blocks; scans it.
    ///
    ///     let report = try await storage.cleanUp(thumbnails)
    ///     print(report.freed)
    ///
    /// Sizes are allocated ones, of everything in the directory. Files that are pinned, leased, open, or
    /// were changed meanwhile are skipped, and the next files in order are removed in their place; so are
    /// files that are marked as last resort in a directory that is not.
    /// ``HeadroomWorkspace/CleanUpReport/excess`` says how much the directory is still too large.
    ///
    /// - Parameters:
    ///   - directory: a directory in the app's storage that is purgeable, or contains marked files.
    ///   - includesHidden: also files whose names start with a dot, and files in such directories.
    ///   - count: this many of the most recently used files are kept, regardless of age and size.
    /// - Throws: ``StorageError`` `refused` if nothing in it may be purged; `busy` if another purge is at
    ///   work there.
    @discardableResult
    public func cleanUp(
        _ directory: URL, includesHidden: Bool = true, keepNewest count: Int = 0
    ) throws(StorageError) -> CleanUpReport {
        try cleanUp(directory, .standard, includesHidden, count)
    }

    /// Cleans up a directory by the standard rules without blocking.
    @discardableResult
    public func cleanUp(
        _ directory: URL, includesHidden: Bool = true, keepNewest count: Int = 0
    ) async throws(StorageError) -> CleanUpReport {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleanUpReport in
            try cleanUp(directory, includesHidden: includesHidden, keepNewest: count)
        }
    }

    /// Cleans up a directory by age, and by size if one is given: removes files that were not used for
    /// `maxAge`, then the least recently used files until `maxSize` is left. Blocks; otherwise as
    /// `cleanUp(_:includesHidden:keepNewest:)`.
    ///
    /// To keep a directory within its rules from now on, see
    /// `purgeableDirectory(at:retention:limit:options:)`.
    ///
    /// - Parameters:
    ///   - maxAge: nil: age does not matter.
    ///   - maxSize: nil: size does not matter.
    @discardableResult
    public func cleanUp(
        _ directory: URL, olderThan maxAge: Duration?, toSize maxSize: ByteCount? = nil,
        includesHidden: Bool = true, keepNewest count: Int = 0
    ) throws(StorageError) -> CleanUpReport {
        try cleanUp(
            directory, CleanUpRules(maxAge: maxAge, maxSize: maxSize), includesHidden, count)
    }

    /// Cleans up a directory by age, and by size if one is given, without blocking.
    @discardableResult
    public func cleanUp(
        _ directory: URL, olderThan maxAge: Duration?, toSize maxSize: ByteCount? = nil,
        includesHidden: Bool = true, keepNewest count: Int = 0
    ) async throws(StorageError) -> CleanUpReport {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleanUpReport in
            try cleanUp(
                directory, olderThan: maxAge, toSize: maxSize, includesHidden: includesHidden,
                keepNewest: count)
        }
    }

    /// Trims a directory to a size: removes the least recently used files until `maxSize` is left,
    /// regardless of age. Blocks; otherwise as `cleanUp(_:includesHidden:keepNewest:)`.
    ///
    /// - Parameter maxSize: nil: nothing is removed.
    @discardableResult
    public func cleanUp(
        _ directory: URL, toSize maxSize: ByteCount?, includesHidden: Bool = true,
        keepNewest count: Int = 0
    ) throws(StorageError) -> CleanUpReport {
        // mutation: r21a-1
        try cleanUp(directory, CleanUpRules(maxSize: maxSize), includesHidden, count)
    }

    /// Trims a directory to a size without blocking.
    @discardableResult
    public func cleanUp(
        _ directory: URL, toSize maxSize: ByteCount?, includesHidden: Bool = true,
        keepNewest count: Int = 0
    ) async throws(StorageError) -> CleanUpReport {
        try await BlockingPool.shared.run { () throws(StorageError) -> CleanUpReport in
            try cleanUp(
                directory, toSize: maxSize, includesHidden: includesHidden, keepNewest: count)
        }
    }

    private func cleanUp(
        _ directory: URL, _ rules: CleanUpRules, _ includesHidden: Bool, _ count: Int
    ) throws(StorageError) -> CleanUpReport {
        var rules = rules
        // mutation: r21b-1
        rules.sparing = Sparing(hidden: !includesHidden, newest: count)
        do {
            let path = try core.ownDirectory(directory)
            return try core.workspace.cleanUp(
                path, rules,
                requester: "\(owner): clean-up of \(path.displayText)")
        } catch {
            throw StorageError(error)
        }
    }

    /// Makes room in a directory before something is added to it: if its volume would have less than
    /// `reserve` left, the directory is trimmed to `target`, least recently used first. Blocks.
    ///
    /// `makeRoom(for:intent:at:)` spends all that the app may spend, in order, and keeps
    /// the room for you; this one spends the one directory.
    ///
    /// - Returns: what was done; nil if there was room enough.
    /// - Throws: as `cleanUp(_:toSize:includesHidden:keepNewest:)`.
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
        // mutation: r21d-2
        guard places.own.contains(where: { path.lies(in: $0) }) else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) does not lie in the storage of \(owner.text). Name a directory "
                    + "in \(places.own.map(\.displayText).joined(separator: ", ")).")
        }
        return path
    }
}
