//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlanning
package import HeadroomPlatform
import HeadroomPurging
package import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The storage of an app: where things go, what may go, and what room there is.
///
///     let storage = try Storage.app(owner: "Podcaster")
///     let photo = try await storage.save(jpeg, as: .essential(.userContent), named: "Trip/photo.jpg")
///     let thumb = try await storage.save(png, as: .cache, named: "Thumbnails/42.png")
///
/// A value that is cheap to make and to copy; all copies share one ledger. Making one reads a few
/// directories at most, and makes none. Methods that touch files come twice (but for marks, which are set and
/// read by a few system calls, and block): the asynchronous form
/// does the work on threads of the library's own; the synchronous one blocks, and is for programs
/// that have no concurrency, or threads of their own.
public struct Storage: Sendable {
    let core: StorageCore

    /// The storage of the running program.
    ///
    /// On Apple platforms that of its container, or without one (a program outside of the sandbox of macOS)
    /// that of the home's `Library`; on Linux that of the user's home, by the XDG base
    /// directories.
    ///
    /// - Parameters:
    ///   - owner: the app's name: the directory in Application Support and Caches (on Linux
    ///     `XDG_DATA_HOME` and `XDG_CACHE_HOME`) that is its own.
    ///   - stateDirectory: where Headroom keeps its ledger for this app; nil: where the user's other
    ///     programs have it (``HeadroomCore/Ledger/defaultDirectory``). Programs that share a ledger
    ///     know each other's marks, leases and reservations.
    ///   - minIdle: how long the app's files have to be unused before they are purged, by class. Zero by
    ///     default: an app protects the files that it needs with leases, or by keeping them open. Pass
    ///     ``HeadroomPlanning/MinIdle/standard`` if parts of the app pass files to each other by their
    ///     paths. Cache stores evict by their own score and ignore idle times.
    /// - Throws: ``StorageError`` `invalidOwner`; `noContainer` if the user has no home directory;
    ///   `refused` if the state directory is not an absolute path of a file URL.
    public static func app(
        owner: String, stateDirectory: URL? = nil, minIdle: MinIdle = .none
    ) throws(StorageError) -> Storage {
        let owner = try Owner(owner)
        let ledger = try stateDirectory.map(Self.ledgerDirectory)
        let environment = ProcessInfo.processInfo.environment
        guard let home = home(environment) else {
            throw StorageError(
                .noContainer,
                "This user has no home directory, so there is no place to store things. Set HOME.")
        }
        #if canImport(Darwin)
        if let layout = Layout.appleContainer(at: home) {
            return Storage(
                StorageCore(
                    StoragePlaces(container: layout, owner: owner), owner,
                    trash: TrashPlaces(environment: environment, home: home),
                    ledgerDirectory: ledger, isOwnContainer: true, minIdle: minIdle))
        }
        let places = StoragePlaces(
            environment: appleNames(environment, home: home), home: home, owner: owner)
        #else
        let places = StoragePlaces(environment: environment, home: home, owner: owner)
        #endif
        return Storage(
            StorageCore(
                // mutation: r1a-3 (2 lines)
                places, owner, trash: TrashPlaces(environment: environment, home: home),
                ledgerDirectory: ledger, minIdle: minIdle))
    }

    private static func ledgerDirectory(_ url: URL) throws(StorageError) -> FilePath {
        let path = FilePath(url.path)
        guard url.isFileURL, path.isAbsolute, path.depth > 0 else {
            throw StorageError(
                .refused,
                "\(url) cannot be a state directory: it is not the absolute path of a directory. "
                    + "Name one that only this user may write to, or leave it out.")
        }
        return path.settled
    }

    /// The environment of a program without a container on Apple's systems, with the directories of its
    /// home under the names that those of other systems have.
    package static func appleNames(
        _ environment: [String: String], home: FilePath
    ) -> [String: String] {
        var environment = environment
        environment["XDG_DOCUMENTS_DIR"] = home.appending("Documents").string
        environment["XDG_DATA_HOME"] = home.appending("Library/Application Support").string
        environment["XDG_CACHE_HOME"] = home.appending("Library/Caches").string
        return environment
    }

    /// The storage in the container of an app or of an app group, whosever it is: one that was copied
    /// from a device, say.
    ///
    /// - Parameters:
    ///   - container: a directory with `Documents`, `Library` and `tmp`; of a group, with `Library` and
    ///     the container's metadata.
    ///   - owner: as for ``app(owner:stateDirectory:minIdle:)``.
    ///   - isGroup: it is a group's, though its metadata are not there.
    ///   - stateDirectory: as for ``app(owner:stateDirectory:minIdle:)``.
    ///   - minIdle: as for that.
    /// - Throws: ``StorageError`` `noContainer` if it is none, `invalidOwner`.
    public init(
        container: URL, owner: String, isGroup: Bool = false, stateDirectory: URL? = nil,
        minIdle: MinIdle = .none
    ) throws(StorageError) {
        let owner = try Owner(owner)
        let ledger = try stateDirectory.map(Self.ledgerDirectory)
        let path: FilePath
        do {
            path = try ResolvedDirectory(FilePath(container.path)).path
        } catch {
            throw StorageError(HeadroomError("open", FilePath(container.path), error))
        }
        let app = isGroup ? nil : Layout.appleContainer(at: path)
        guard let layout = app ?? Layout.appleGroup(at: path, explicitly: isGroup) else {
            throw StorageError(
                .noContainer,
                "\(path.displayText) is not the container of an app or a group: it has no "
                    + "Documents, Library and tmp, no Library with the metadata of a group, or is "
                    + "somebody's home. Name the container itself, or say that it is a group's.")
        }
        // What is thrown away in it goes to the trash of whoever is at work here.
        let environment = ProcessInfo.processInfo.environment
        let trash = TrashPlaces(environment: environment, home: Self.home(environment) ?? path)
        self.init(
            StorageCore(
                // mutation: r1a-4 (2 lines)
                StoragePlaces(container: layout, owner: owner), owner, trash: trash,
                ledgerDirectory: ledger, minIdle: minIdle))
    }

    /// The storage in a home with the standard directories of its system, whosever it is and wherever it was
    /// copied to: `.cache`, `.local/share` and `Documents`, on Apple's systems those in `Library`.
    ///
    /// The variables of this process's environment say nothing of it: ``app(owner:stateDirectory:minIdle:)`` is
    /// for the running program's own.
    ///
    /// - Parameters:
    ///   - stateDirectory: as for ``app(owner:stateDirectory:minIdle:)``.
    ///   - minIdle: as for that.
    /// - Throws: ``StorageError`` `noContainer` if the directory does not exist, `invalidOwner`.
    public init(
        home: URL, owner: String, stateDirectory: URL? = nil, minIdle: MinIdle = .none
    ) throws(StorageError) {
        let owner = try Owner(owner)
        let ledger = try stateDirectory.map(Self.ledgerDirectory)
        let path: FilePath
        do {
            path = try ResolvedDirectory(FilePath(home.path)).path
        } catch {
            throw StorageError(
                .noContainer,
                "\(FilePath(home.path).displayText) is no home: it cannot be opened (\(error)). "
                    + "Name a directory that is there.", cause: error)
        }
        #if canImport(Darwin)
        let environment = Self.appleNames([:], home: path)
        #else
        // mutation: r1a-6
        let environment: [String: String] = [:]
        #endif
        self.init(
            StorageCore(
                StoragePlaces(environment: environment, home: path, owner: owner), owner,
                // mutation: r1a-2
                trash: TrashPlaces(environment: environment, home: path), ledgerDirectory: ledger,
                minIdle: minIdle))
    }

    init(_ core: StorageCore) {
        self.core = core
    }

    /// The storage of another home, environment and ledger; for tests and tools.
    package init(
        home: FilePath, environment: [String: String], owner: String, ledgerDirectory: FilePath,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.wallClock() },
        sampleClocks: (@Sendable () -> ClockSample)? = nil, minIdle: MinIdle = .none,
        protectionClasses: any ProtectionClassKeeping = SystemProtectionClasses(),
        step: (@Sendable (SaveStep) -> Void)? = nil
    ) throws(StorageError) {
        let owner = try Owner(owner)
        self.init(
            StorageCore(
                StoragePlaces(environment: environment, home: home, owner: owner), owner,
                trash: TrashPlaces(environment: environment, home: home),
                ledgerDirectory: ledgerDirectory, minIdle: minIdle, clock: clock,
                sampleClocks: sampleClocks, protectionClasses: protectionClasses, step: step))
    }

    /// The container, or the home.
    public var root: URL { URL(filePath: core.places.root.string) }

    public var owner: String { core.owner.text }

    /// Where things of a class go. The directory is made when something is first saved to it.
    public func directory(for content: ContentClass) -> URL {
        URL(filePath: core.places.directory(for: content).string, directoryHint: .isDirectory)
    }

    package var stateDirectoryPath: FilePath { core.ledgerDirectory }

    /// Where Headroom keeps its ledger for this storage.
    public var stateDirectory: URL {
        URL(filePath: core.ledgerDirectory.string, directoryHint: .isDirectory)
    }

    /// The marks of its files, in attributes and ledger.
    package var marks: MarkStore { core.workspace.marks }

    private static func home(_ environment: [String: String]) -> FilePath? {
        if let home = environment["HOME"], home.hasPrefix("/") { return FilePath(home) }
        return UserAccount.current()?.home
    }
}
