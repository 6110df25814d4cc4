//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
public import Foundation
public import Headroom
import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension Storage {
    /// Saves data that the system protects, from its first byte; otherwise as without a level.
    ///
    ///     try storage.save(letter, as: .essential(.userContent), named: "letter", protection: .complete)
    ///
    /// Blocks.
    ///
    /// - Parameter protection: given to the file while it is empty and has not its name yet, and read back. Saved
    ///   without one, it has that of the file that it replaces, and what is new that of its directory.
    /// - Throws: ``StorageError`` as without a level; `refused` where the system does not keep it, as in the
    ///   simulator: then nothing is saved, and what has the name stays; `notPermitted` if the device is locked and
    ///   the level needs it unlocked.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String, protection: ProtectionLevel,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws(StorageError) -> URL {
        try save(
            data, as: content, named: name, durability: durability, intent: intent, using: room,
            preparing: systemProtection.preparation(protection, named: name))
    }

    /// Saves protected data without blocking.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String, protection: ProtectionLevel,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try save(
                data, as: content, named: name, protection: protection, durability: durability,
                intent: intent, using: room)
        }
    }

    /// Saves a protected copy of a file. Blocks.
    ///
    /// The copy has the level that is asked for, whatever that of the original is.
    ///
    /// - Parameters:
    ///   - source: a regular file; a link is followed.
    ///   - protection: as for data. Saved without one, the copy does not get that of the original either.
    /// - Throws: ``StorageError`` as for data; `notFound` if there is no such file; `notPermitted` if it cannot
    ///   be read while the device is locked.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        protection: ProtectionLevel, durability: Durability = .none, intent: Intent? = nil,
        using room: Reservation? = nil
    ) throws(StorageError) -> URL {
        try save(
            contentsOf: source, as: content, named: name, durability: durability, intent: intent,
            using: room, preparing: systemProtection.preparation(protection, named: name))
    }

    /// Saves a protected copy of a file without blocking.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        protection: ProtectionLevel, durability: Durability = .none, intent: Intent? = nil,
        using room: Reservation? = nil
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try save(
                contentsOf: source, as: content, named: name, protection: protection,
                durability: durability, intent: intent, using: room)
        }
    }

    /// Saves what a stream delivers, protected, piece by piece, and returns where it went. Does not block.
    ///
    /// What may still be coming when the device is locked wants `completeUnlessOpen`: its file can be written
    /// for as long as it is open. Under `complete` the writing fails then, and nothing is left.
    ///
    /// - Parameters:
    ///   - protection: as for data.
    ///   - expected: how much it will be, if that is known.
    /// - Throws: ``StorageError`` as for data; what the stream throws; `CancellationError`.
    @discardableResult
    public func save<Stream: AsyncSequence>(
        _ stream: Stream, as content: ContentClass, named name: String,
        protection: ProtectionLevel, expecting expected: ByteCount? = nil,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        try await save(
            stream, as: content, named: name, expecting: expected, durability: durability,
            intent: intent, using: room,
            preparing: systemProtection.preparation(protection, named: name))
    }

    /// Saves what a closure writes, protected, and returns where it went. Blocks for as long as the closure.
    ///
    ///     try storage.save(as: .essential(.appData), named: "keys", protection: .complete) { file in
    ///         for key in keys { try file.write(key) }
    ///     }
    ///
    /// - Parameters:
    ///   - protection: as for data.
    ///   - expected: how much it will be, if that is known.
    ///   - write: if it throws, nothing is left of the file.
    /// - Throws: ``StorageError`` as for data, and what the closure throws.
    @discardableResult
    public func save(
        as content: ContentClass, named name: String, protection: ProtectionLevel,
        expecting expected: ByteCount? = nil, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil,
        _ write: (SaveWriter) throws -> Void
    ) throws -> URL {
        try save(
            as: content, named: name, expecting: expected, durability: durability, intent: intent,
            using: room, preparing: systemProtection.preparation(protection, named: name), write)
    }

    // MARK: - What is there

    /// Protects a file or a directory. New files in a directory get its level; those that are there keep
    /// theirs. Blocks.
    ///
    /// - Throws: ``StorageError`` `notFound`; `notPermitted`; `refused` where the system does not keep it.
    public func protect(_ url: URL, _ level: ProtectionLevel) throws(StorageError) {
        try systemProtection.set(level, of: FilePath(url.path))
    }

    /// How the system protects a file or a directory. Blocks.
    public func protection(of url: URL) throws(StorageError) -> SystemProtection {
        try systemProtection.level(of: FilePath(url.path))
    }

    private var systemProtection: FileProtection { FileProtection(SystemProtectionStore()) }
}
#endif
