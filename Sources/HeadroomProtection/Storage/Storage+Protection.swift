//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import Headroom
public import HeadroomEngine
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
    ///   - protection: its level; nil: that of the nearest directory that has one
    ///     (`setProtection(_:ofNewFilesIn:)`), else that of the file it replaces, else none.
    ///   - keys: what it is protected with; locked, it can do `completeUnlessOpen`.
    /// - Throws: `ProtectionError` `locked` if the level cannot be written now; `unsupported` if
    ///   what a directory says cannot be understood; `StorageError` as saving without.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        protection: ProtectionLevel?, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        let level = try self.level(protection, content, name)
        guard level != .none else {
            return try save(
                data, as: content, named: name, durability: durability, intent: intent, using: room)
        }
        var sealer = try ContentSealer(level: level, bag: keys)
        return try save(
            as: content, named: name, expecting: sealer.fileSize(Int64(data.count)),
            durability: durability, intent: intent, using: room
        ) { file in
            try file.write(sealer.beginning)
            try sealer.sealWhole(data) { try file.write($0) }
        }
    }

    /// Saves data without blocking; otherwise as the synchronous form.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        protection: ProtectionLevel?, keys: KeyBag, durability: Durability = .none,
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
        protection: ProtectionLevel?, keys: KeyBag, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) throws -> URL {
        let level = try self.level(protection, content, name)
        guard level != .none else {
            return try save(
                contentsOf: source, as: content, named: name, durability: durability,
                intent: intent, using: room)
        }
        let original = try Self.open(FilePath(source.path))
        let size = Int64(clamping: try original.size())
        var sealer = try ContentSealer(level: level, bag: keys)
        return try save(
            as: content, named: name, expecting: sealer.fileSize(size), durability: durability,
            intent: intent, using: room
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
        protection: ProtectionLevel?, keys: KeyBag, durability: Durability = .none,
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
        protection: ProtectionLevel?, keys: KeyBag, expecting expected: ByteCount? = nil,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        let level = try await BlockingPool.shared.run { () throws(any Error) -> ProtectionLevel in
            try self.level(protection, content, name)
        }
        guard level != .none else {
            return try await save(
                stream, as: content, named: name, expecting: expected, durability: durability,
                intent: intent, using: room)
        }
        let sealer = try ContentSealer(level: level, bag: keys)
        return try await save(
            SealedSequence(base: stream, sealer: sealer), as: content, named: name,
            expecting: expected.map { sealer.fileSize($0.bytes) }, durability: durability,
            intent: intent, using: room)
    }

    // MARK: - Directories

    /// Says under which level new files in a directory, and in those below, are saved by
    /// `save(_:as:named:protection:keys:…)` where no other
    /// is named. Files that are there stay as they are; so does what is saved without keys. On disk
    /// when it returns. Blocks.
    ///
    /// - Parameter level: nil: what the directory around says.
    /// - Throws: `StorageError` `notFound`, `notPermitted`; `refused` where the file system keeps no
    ///   attributes; `io`.
    public func setProtection(
        _ level: ProtectionLevel?, ofNewFilesIn directory: URL
    ) throws(StorageError) {
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

    private static func open(_ path: FilePath) throws(StorageError) -> RegularFile {
        do throws(Errno) {
            return try RegularFile(opening: path)
        } catch {
            throw StorageError(engine: HeadroomError("read", path, error))
        }
    }

    private func level(
        _ wanted: ProtectionLevel?, _ content: ContentClass, _ name: String
    ) throws -> ProtectionLevel {
        if let wanted { return wanted }
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

extension ContentSealer {
    /// How long the file of so much content is.
    func fileSize(_ size: Int64) -> ByteCount {
        ByteCount(ProtectionHeaderArea.fileSize(ofContent: size, chunkSize: header.chunkSize))
    }
}
#endif
