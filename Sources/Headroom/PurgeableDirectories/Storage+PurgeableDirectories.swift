//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// A directory that looks after itself, among the app's caches. Made if it is missing, also when
    /// the system has taken it away.
    ///
    ///     let maps = try await storage.purgeableDirectory(
    ///         "OfflineMaps", retention: .days(14), limit: .megabytes(500))
    ///
    /// Content older than the retention goes at the next ``start(version:interval:)``, and with it,
    /// once the directory has reached its limit, the oldest of the rest until half of the limit is
    /// left. Under pressure it is a cache like others. What is pinned, leased or open stays.
    ///
    /// The registration is kept from one launch to the next. Registering again with the same rules
    /// costs a look; with others, these hold from then on. Blocks.
    ///
    /// - Parameters:
    ///   - name: relative to the app's directory in Caches, without `..`.
    ///   - retention: measured from creation, unless the options say otherwise.
    ///   - limit: in allocated bytes; zero: none.
    /// - Throws: ``StorageError`` `refused` for what overlaps another such directory or has a use of
    ///   its own; `invalidName`.
    public func purgeableDirectory(
        _ name: String, retention: Retention = .manual, limit: ByteCount = .zero,
        options: PurgeableDirectoryOptions = PurgeableDirectoryOptions()
    ) throws(StorageError) -> URL {
        let name = try RelativeName(name)
        let path = core.places.caches.appending(
            name.parts.map { FilePath(bytes: $0.bytes).components }
                .flatMap(\.self))
        return try register(path, retention, limit, options)
    }

    /// The same without blocking.
    public func purgeableDirectory(
        _ name: String, retention: Retention = .manual, limit: ByteCount = .zero,
        options: PurgeableDirectoryOptions = PurgeableDirectoryOptions()
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try purgeableDirectory(name, retention: retention, limit: limit, options: options)
        }
    }

    /// A directory anywhere in the app's storage that looks after itself; see
    /// `purgeableDirectory(_:retention:limit:options:)`.
    ///
    /// In Application Support or Documents, where nothing goes otherwise, this declares the directory:
    /// it is marked as purgeable and left out of backups.
    ///
    /// - Throws: ``StorageError`` `refused` also for Documents, Application Support and the other
    ///   directories that have a role, for Preferences, and for what lies outside of the storage.
    public func purgeableDirectory(
        at url: URL, retention: Retention = .manual, limit: ByteCount = .zero,
        options: PurgeableDirectoryOptions = PurgeableDirectoryOptions()
    ) throws(StorageError) -> URL {
        try register(FilePath(url.path), retention, limit, options)
    }

    /// The same without blocking.
    public func purgeableDirectory(
        at url: URL, retention: Retention = .manual, limit: ByteCount = .zero,
        options: PurgeableDirectoryOptions = PurgeableDirectoryOptions()
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try purgeableDirectory(at: url, retention: retention, limit: limit, options: options)
        }
    }

    private func register(
        _ path: FilePath, _ retention: Retention, _ limit: ByteCount,
        _ options: PurgeableDirectoryOptions
    ) throws(StorageError) -> URL {
        let rules = DirectoryRules(
            retention: retention.duration, limit: limit, ageBasis: options.ageBasis,
            order: options.order, trimPercent: options.trimPercent, unit: options.unit)
        return try core.makingRoom(
            for: .cache, to: "register the purgeable directory \(path.displayText)"
        ) { () throws(StorageError) in
            do throws(HeadroomError) {
                let done = try core.workspace.registerDirectory(path, rules, by: core.registrar)
                return URL(filePath: done.area.root.string, directoryHint: .isDirectory)
            } catch {
                throw StorageError(error)
            }
        }
    }

    // MARK: - Registered ones

    /// The purgeable directories of this app, in the order of their registration. Blocks.
    public var purgeableDirectories: [PurgeableDirectory] {
        core.ownRegistrations.map(PurgeableDirectory.init)
    }

    /// Checks them now, as ``start(version:interval:)`` does at every launch: what has expired goes,
    /// and what has reached its limit is trimmed. Blocks.
    ///
    /// One that is in use by another purge or cannot be read holds up no other.
    @discardableResult
    public func checkPurgeableDirectories() -> DirectoryChecks {
        core.keeper("check of purgeable directories").check(core.ownRegistrations)
    }

    /// The same without blocking.
    @discardableResult
    public func checkPurgeableDirectories() async -> DirectoryChecks {
        await BlockingPool.shared.run { () throws(Never) -> DirectoryChecks in
            checkPurgeableDirectories()
        }
    }

    /// Empties one of them. Directory and registration stay; so does what is pinned, leased or open.
    ///
    /// - Throws: ``StorageError`` `notFound` if it is not registered.
    @discardableResult
    public func resetPurgeableDirectory(at url: URL) throws(StorageError) -> DirectoryCheck {
        let registration = try registration(at: url)
        // mutation: r19e-1
        let done = core.keeper("reset of a purgeable directory").empty([registration])
        return done.directories.first ?? DirectoryCheck(registration: registration)
    }

    /// The same without blocking.
    @discardableResult
    public func resetPurgeableDirectory(
        at url: URL
    ) async throws(StorageError) -> DirectoryCheck {
        try await BlockingPool.shared.run { () throws(StorageError) -> DirectoryCheck in
            try resetPurgeableDirectory(at: url)
        }
    }

    /// Empties all of them. Directories and registrations stay. Blocks.
    @discardableResult
    public func resetAllPurgeableDirectories() -> DirectoryChecks {
        core.keeper("reset of all purgeable directories").empty(core.ownRegistrations)
    }

    /// The same without blocking.
    @discardableResult
    public func resetAllPurgeableDirectories() async -> DirectoryChecks {
        await BlockingPool.shared.run { () throws(Never) -> DirectoryChecks in
            resetAllPurgeableDirectories()
        }
    }

    /// Takes a registration back. What is in the directory stays, under the rules of the place where
    /// it lies. Blocks.
    ///
    /// - Throws: ``StorageError`` `notFound` if it is not registered.
    public func removePurgeableDirectory(at url: URL) throws(StorageError) {
        let registration = try registration(at: url)
        do {
            try core.workspace.unregisterDirectory(registration.area.root)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func removePurgeableDirectory(at url: URL) async throws(StorageError) {
        try await BlockingPool.shared.run { () throws(StorageError) in
            try removePurgeableDirectory(at: url)
        }
    }

    private func registration(at url: URL) throws(StorageError) -> Registration {
        let given = FilePath(url.path).settled
        let path = (try? ResolvedDirectory(given).path) ?? given
        guard let found = core.ownRegistrations.first(where: { $0.area.root == path }) else {
            throw StorageError(
                .notFound,
                "\(given.displayText) is not a purgeable directory of \(owner). Register it with "
                    + "purgeableDirectory(at:), or use one of purgeableDirectories.")
        }
        return found
    }
}

extension StorageCore {
    /// Who registers directories here.
    var registrar: DirectoryRegistrar {
        var reserved: [FilePath: String] = [:]
        // What encloses others is no use of its own: all of them lie in it.
        for area in places.layout.areas
        where area.root != places.caches && area.purgeClass != .essential
            && (area.root.lies(in: places.caches) || area.root.lies(in: places.appData))
        {
            reserved[area.root] = area.origin
        }
        return DirectoryRegistrar(
            owner: owner.text, container: places.movableContainer, limits: places.own,
            reserved: reserved)
    }

    /// What this owner has registered here.
    var ownRegistrations: [Registration] {
        workspace.registered.filter { $0.owner == owner.text }
    }

    func keeper(_ task: String) -> DirectoryKeeper {
        DirectoryKeeper(workspace, requester: "\(owner.text): \(task)")
    }
}

extension StoragePlaces {
    /// The container, if it is one that gets another path when the app is updated.
    var movableContainer: FilePath? { layout.kind == .xdg ? nil : root }
}
