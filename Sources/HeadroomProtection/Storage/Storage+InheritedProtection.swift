//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import Headroom
import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Saves data under the level that its place has, and returns where it went: that of the nearest
    /// directory that has one (`setProtection(_:ofNewFilesIn:)`), else that of the file it replaces,
    /// else none. Blocks.
    ///
    /// - Parameter keys: what it is protected with; locked, it can do `completeUnlessOpen`.
    /// - Throws: `ProtectionError` `locked` if the level cannot be written now; `unsupported` if what
    ///   a directory says cannot be understood; `StorageError` as saving without.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String, keys: KeyBag,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        try save(
            data, as: content, named: name, protection: level(content, name), keys: keys,
            durability: durability, intent: intent, using: room)
    }

    /// Saves data under the level that its place has, without blocking.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String, keys: KeyBag,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL {
        try await BlockingPool.shared.run { () throws(any Error) -> URL in
            try save(
                data, as: content, named: name, keys: keys, durability: durability,
                intent: intent, using: room)
        }
    }

    /// Saves a copy of a file under the level that its place has. Blocks.
    ///
    /// - Throws: as for data; `StorageError` `notFound` if there is no such file.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String, keys: KeyBag,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        try save(
            contentsOf: source, as: content, named: name, protection: level(content, name),
            keys: keys, durability: durability, intent: intent, using: room)
    }

    /// Saves a copy of a file under the level that its place has, without blocking.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String, keys: KeyBag,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL {
        try await BlockingPool.shared.run { () throws(any Error) -> URL in
            try save(
                contentsOf: source, as: content, named: name, keys: keys, durability: durability,
                intent: intent, using: room)
        }
    }

    /// Saves what a stream delivers under the level that its place has. Does not block.
    ///
    /// - Parameter expected: how much it will be before it is encrypted, if that is known.
    /// - Throws: as for data; what the stream throws; `CancellationError`.
    @discardableResult
    public func save<Stream: AsyncSequence>(
        _ stream: Stream, as content: ContentClass, named name: String, keys: KeyBag,
        expecting expected: ByteCount? = nil, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        let level = try await BlockingPool.shared.run { () throws(any Error) -> ProtectionLevel in
            try self.level(content, name)
        }
        return try await save(
            stream, as: content, named: name, protection: level, keys: keys, expecting: expected,
            durability: durability, intent: intent, using: room)
    }

    // MARK: - Directories

    /// Says under which level new files in a directory, and in those below, are saved by
    /// `save(_:as:named:keys:…)`. Files that are there stay as they are. From now on, saving or
    /// downloading there without keys fails with `keysMissing`. On disk when it returns. Blocks.
    ///
    /// - Parameter level: `none`: not protected, whatever the directory around says.
    /// - Throws: `StorageError` `notFound`, `notPermitted`; `refused` where the file system keeps no
    ///   attributes; `io`.
    public func setProtection(
        _ level: ProtectionLevel, ofNewFilesIn directory: URL
    ) throws(StorageError) {
        try setProtection(of: directory, level)
    }

    /// Takes back what was said of a directory: what the one around it says holds again. On disk
    /// when it returns. Blocks.
    ///
    /// - Throws: as setting it.
    public func removeProtection(ofNewFilesIn directory: URL) throws(StorageError) {
        try setProtection(of: directory, nil)
    }

    private func setProtection(of directory: URL, _ level: ProtectionLevel?) throws(StorageError) {
        do throws(HeadroomError) {
            try DirectoryProtection.set(level, on: FilePath(directory.path))
        } catch {
            throw StorageError(engine: error)
        }
    }

    /// The level that new files in a directory get; nil: none has been set. Blocks.
    ///
    /// - Throws: `StorageError` `notFound`, `notPermitted`, `io`.
    public func protectionOfNewFiles(in directory: URL) throws(StorageError) -> Protection? {
        do throws(HeadroomError) {
            return try DirectoryProtection.nearest(
                FilePath(directory.path), upTo: FilePath(root.path))
        } catch {
            throw StorageError(engine: error)
        }
    }

    private func level(_ content: ContentClass, _ name: String) throws -> ProtectionLevel {
        // A name that leads elsewhere is refused when it is saved, before anything is written.
        let path = FilePath(directory(for: content).path).pushing(FilePath(name))
        let set = try protectionOfNewFiles(
            in: URL(filePath: path.removingLastComponent().string, directoryHint: .isDirectory))
        switch set {
        case .level(let level): return level
        case .unknown:
            throw ProtectionError(
                .unsupported,
                "Could not save \(name): the protection of new files in its directory cannot be "
                    + "understood. Set it anew, or name the level.")
        case nil: break
        }
        guard let old = Protection.ofExisting(path) else { return .none }
        guard case .level(let level) = old else {
            throw ProtectionError(
                .unsupported,
                "Could not save \(name): the protection of the file that it replaces cannot be "
                    + "told. Name the level.")
        }
        return level
    }
}
#endif
