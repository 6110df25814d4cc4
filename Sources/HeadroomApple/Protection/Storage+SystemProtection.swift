//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
public import Foundation
public import Headroom
public import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension Storage {
    /// Saves data that the system protects, from its first byte; otherwise as without a level.
    ///
    ///     try storage.save(letter, as: .essential(.userContent), named: "letter", protection: .complete)
    ///
    /// Blocks.
    ///
    /// - Throws: ``StorageError`` as without a level; `refused` where the system does not keep it, as in the
    ///   simulator: then nothing is saved.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String, protection: ProtectionLevel,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws(StorageError) -> URL {
        try save(
            data, as: content, named: name, durability: durability, intent: intent, using: room
        ) { file throws(StorageError) in
            guard let path = ResolvedDirectory.path(of: file) else {
                throw StorageError(
                    .io, "Could not protect \(name): the system does not tell where it is.")
            }
            try FileProtection(SystemProtectionStore()).set(protection, of: path)
        }
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

    /// Protects a file or a directory. New files in a directory get its level; those that are there keep
    /// theirs. Blocks.
    ///
    /// - Throws: ``StorageError`` `notFound`; `notPermitted`; `refused` where the system does not keep it.
    public func protect(_ url: URL, _ level: ProtectionLevel) throws(StorageError) {
        try FileProtection(SystemProtectionStore()).set(level, of: FilePath(url.path))
    }

    /// How the system protects a file or a directory. Blocks.
    public func protection(of url: URL) throws(StorageError) -> SystemProtection {
        try FileProtection(SystemProtectionStore()).level(of: FilePath(url.path))
    }
}
#endif
