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
    /// Saves data so that it can be read only when its level allows, and returns where it went.
    ///
    /// What is written is encrypted from its first byte, and in all else as what is saved without.
    /// Blocks.
    ///
    /// - Parameters:
    ///   - protection: its level, whatever its directory says. Left out, the directory decides.
    ///   - keys: what it is protected with; locked, it can do `completeUnlessOpen`.
    /// - Throws: `ProtectionError` `locked` if the level cannot be written now; `StorageError` as
    ///   saving without.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        protection: ProtectionLevel, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        guard protection != .none else {
            return try save(
                data, as: content, named: name, durability: durability, intent: intent, using: room,
                preparing: nil, isSealed: true)
        }
        var sealer = try ContentSealer(level: protection, bag: keys)
        return try save(
            as: content, named: name, expecting: sealer.fileSize(Int64(data.count)),
            durability: durability, intent: intent, using: room, preparing: nil, isSealed: true
        ) { file in
            try file.write(sealer.beginning)
            try sealer.sealWhole(data) { try file.write($0) }
        }
    }

    /// Saves data without blocking; otherwise as the synchronous form.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        protection: ProtectionLevel, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL {
        try await BlockingPool.shared.run { () throws(any Error) -> URL in
            try save(
                data, as: content, named: name, protection: protection, keys: keys,
                durability: durability, intent: intent, using: room)
        }
    }

    /// Saves a protected copy of a file. One piece of it is in memory. Blocks.
    ///
    /// - Parameter source: a regular file; a link is followed.
    /// - Throws: as for data; `StorageError` `notFound` if there is no such file.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        protection: ProtectionLevel, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        guard protection != .none else {
            return try save(
                contentsOf: source, as: content, named: name, durability: durability,
                intent: intent, using: room, preparing: nil, isSealed: true)
        }
        let original = try Self.open(FilePath(source.path))
        let size = Int64(clamping: try original.size())
        var sealer = try ContentSealer(level: protection, bag: keys)
        return try save(
            as: content, named: name, expecting: sealer.fileSize(size), durability: durability,
            intent: intent, using: room, preparing: nil, isSealed: true
        ) { file in
            try file.write(sealer.beginning)
            var offset: UInt64 = 0
            while true {
                let piece = try original.read(1 << 20, at: offset)
                if piece.isEmpty { break }
                try sealer.append(Data(piece)) { try file.write($0) }
                offset += UInt64(piece.count)
            }
            try sealer.finish { try file.write($0) }
        }
    }

    /// Saves a protected copy of a file without blocking.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        protection: ProtectionLevel, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL {
        try await BlockingPool.shared.run { () throws(any Error) -> URL in
            try save(
                contentsOf: source, as: content, named: name, protection: protection, keys: keys,
                durability: durability, intent: intent, using: room)
        }
    }

    /// Saves what a stream delivers, protected, piece by piece, and returns where it went. Does not
    /// block.
    ///
    /// - Parameter expected: how much it will be before it is encrypted, if that is known.
    /// - Throws: as for data; what the stream throws; `CancellationError`.
    @discardableResult
    public func save<Stream: AsyncSequence>(
        _ stream: Stream, as content: ContentClass, named name: String,
        protection: ProtectionLevel, keys: KeyBag, expecting expected: ByteCount? = nil,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        guard protection != .none else {
            return try await save(
                stream, as: content, named: name, expecting: expected, durability: durability,
                intent: intent, using: room, preparing: nil, isSealed: true)
        }
        let sealer = try ContentSealer(level: protection, bag: keys)
        return try await save(
            SealedSequence(base: stream, sealer: sealer), as: content, named: name,
            expecting: expected.map { sealer.fileSize($0.bytes) }, durability: durability,
            intent: intent, using: room, preparing: nil, isSealed: true)
    }

    private static func open(_ path: FilePath) throws(StorageError) -> RegularFile {
        do throws(Errno) {
            return try RegularFile(opening: path)
        } catch {
            throw StorageError(engine: HeadroomError("read", path, error))
        }
    }
}

extension ContentSealer {
    /// How long the file of so much content is.
    func fileSize(_ size: Int64) -> ByteCount {
        ByteCount(ProtectionHeaderArea.fileSize(ofContent: size, chunkSize: header.chunkSize))
    }
}
#endif
