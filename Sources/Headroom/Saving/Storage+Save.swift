//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Saves data, and returns where it went.
    ///
    /// Atomic: under its name there is the old file, or none, or the whole new one, whatever happens.
    /// What replaces a file keeps its permissions and its mark. If there is no room, room is made
    /// once, within what the intent may spend. What other processes have reserved stays theirs.
    /// Blocks.
    ///
    /// - Parameters:
    ///   - content: what it is; its place follows from that.
    ///   - name: relative, such as `Trip/photo.jpg`; directories are made. Names that stand for another class
    ///     there (`LastResort` among an app's own data, `Inbox` in a container's Documents) are refused.
    ///   - durability: when this returns.
    ///   - intent: what may be spent to make room; nil: as is usual for the class.
    ///   - room: what was made for it with `makeRoom(for:intent:)`; it is used
    ///     up by as much as is written.
    /// - Throws: ``StorageError`` `insufficientSpace`, with what is missing; `invalidName`; `refused`
    ///   if a link or a mount is on the way; `keysMissing` if the content has to be encrypted, as its
    ///   directory or the file that it replaces says; `notPermitted`; `io`.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws(StorageError) -> URL {
        try save(
            data, as: content, named: name, durability: durability, intent: intent, using: room,
            preparing: nil)
    }

    package func save(
        _ data: Data, as content: ContentClass, named name: String,
        durability: Durability, intent: Intent?, using room: Reservation?,
        preparing prepare: SavePreparation?, isSealed: Bool = false
    ) throws(StorageError) -> URL {
        var operation = try operation(
            content, name, durability, intent, size: Int64(data.count), room, prepare)
        operation.isSealed = isSealed
        operation.isImmediate = data.count <= 1 << 20
        let path: String
        let tried = core.mount(of: content)
        do {
            path = try write(data, operation)
        } catch  where operation.isImmediate && error.cause == .noSuchFileOrDirectory {
            // Its directory was taken away before it had its name: once more, with that held open.
            operation.isImmediate = false
            path = try write(data, operation)
        } catch  where operation.isImmediate && error.cause == .improperLink {
            // It was made on another mount, say. The long way tells whether it may be there.
            operation.isImmediate = false
            path = try write(data, operation)
            if let tried { core.closeShortWay(of: content, on: tried) }
        }
        return URL(filePath: path, directoryHint: .notDirectory)
    }

    /// - Returns: its path.
    private func write(
        _ data: Data, _ operation: SaveOperation
    ) throws(StorageError) -> String {
        let file = try FileInProgress(operation)
        // Data has no form of this that forwards typed errors.
        let result: Result<Void, StorageError> = unsafe data.withUnsafeBytes { bytes in
            do throws(StorageError) {
                return .success(unsafe try file.write(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return try file.finish()
    }

    /// Saves data without blocking; otherwise as the synchronous form.
    @discardableResult
    public func save(
        _ data: Data, as content: ContentClass, named name: String,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try save(
                data, as: content, named: name, durability: durability, intent: intent,
                using: room)
        }
    }

    /// Saves a copy of a file. It is not brought into memory where the system can copy by itself.
    ///
    /// - Parameter source: a regular file; a link is followed.
    /// - Throws: as for data; `notFound` if there is no such file.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) throws(StorageError) -> URL {
        try save(
            contentsOf: source, as: content, named: name, durability: durability, intent: intent,
            using: room, preparing: nil)
    }

    package func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        durability: Durability, intent: Intent?, using room: Reservation?,
        preparing prepare: SavePreparation?, isSealed: Bool = false
    ) throws(StorageError) -> URL {
        var operation = try operation(
            // mutation: r35a-2
            content, name, durability, intent, size: nil, room, prepare)
        operation.isSealed = isSealed
        let original = try SourceFile(FilePath(source.path))
        operation.size = original.size
        let file = try FileInProgress(operation)
        try file.copy(original)
        return URL(filePath: try file.finish(), directoryHint: .notDirectory)
    }

    /// Saves a copy of a file without blocking.
    @discardableResult
    public func save(
        contentsOf source: URL, as content: ContentClass, named name: String,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil
    ) async throws(StorageError) -> URL {
        try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            try save(
                contentsOf: source, as: content, named: name, durability: durability,
                intent: intent, using: room)
        }
    }

    func operation(
        _ content: ContentClass, _ name: String, _ durability: Durability, _ intent: Intent?,
        size: Int64?, _ room: Reservation?, _ prepare: SavePreparation?
    ) throws(StorageError) -> SaveOperation {
        let relative = try RelativeName(name)
        if let taken = core.places.takenName(in: content), relative.begins(with: taken.name) {
            throw StorageError(
                .invalidName,
                "“\(name)” cannot be used as a name: of “\(taken.name)” \(taken.why). "
                    + "Use a name such as “Trip/photo.jpg”, or save it as what it is.")
        }
        return SaveOperation(
            core: core, content: content, name: relative, durability: durability,
            intent: intent ?? content.usualIntent, size: size, room: room, prepare: prepare)
    }
}
