//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Saves what a stream delivers, piece by piece, and returns where it went.
    ///
    /// Atomic as the saving of data: while the stream goes on nothing is
    /// seen under the name, and if it throws, or the task is cancelled, nothing is left of it. A full
    /// volume in its middle makes room, once if it is known how much there will be and else as often as there is
    /// something to purge, and it goes on. Does not block; one piece is in memory.
    ///
    /// - Parameters:
    ///   - stream: its elements are written in order.
    ///   - expected: how much it will be, if that is known: so much is taken at once, so that want of
    ///     space shows before the work and not after it.
    /// - Throws: ``StorageError`` as for data; what the stream throws; `CancellationError`.
    @discardableResult
    public func save<Stream: AsyncSequence>(
        _ stream: Stream, as content: ContentClass, named name: String,
        expecting expected: ByteCount? = nil, durability: Durability = .none,
        intent: Intent? = nil, using room: Reservation? = nil
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        try await save(
            stream, as: content, named: name, expecting: expected, durability: durability,
            intent: intent, using: room, preparing: nil)
    }

    package func save<Stream: AsyncSequence>(
        _ stream: Stream, as content: ContentClass, named name: String,
        expecting expected: ByteCount?, durability: Durability, intent: Intent?,
        using room: Reservation?, preparing prepare: SavePreparation?, isSealed: Bool = false
    ) async throws -> URL where Stream.Element: ContiguousBytes & Sendable {
        var operation = try operation(
            content, name, durability, intent, size: expected?.bytes, room, prepare)
        operation.isSealed = isSealed
        let file = try await BlockingPool.shared.run {
            [operation] () throws(StorageError) -> FileInProgress in
            let file = try FileInProgress(operation)
            if let size = operation.size, operation.room == nil { try file.reserve(size) }
            return file
        }
        do {
            for try await piece in stream {
                try Task.checkCancellation()
                try await BlockingPool.shared.run { () throws(StorageError) in
                    try file.write(piece)
                }
            }
            try Task.checkCancellation()
        } catch {
            // The pool may hold on to it for a moment more.
            // mutation: r3c-1
            file.discard()
            throw error
        }
        return try await BlockingPool.shared.run { () throws(StorageError) -> URL in
            URL(filePath: try file.finish(), directoryHint: .notDirectory)
        }
    }

    /// Saves what a closure writes, and returns where it went. Blocks for as long as the closure.
    ///
    ///     try storage.save(as: .cache, named: "index") { file in
    ///         for page in pages { try file.write(page) }
    ///     }
    ///
    /// - Parameter write: if it throws, nothing is left of the file.
    /// - Throws: ``StorageError`` as for data, and what the closure throws.
    @discardableResult
    public func save(
        as content: ContentClass, named name: String, expecting expected: ByteCount? = nil,
        durability: Durability = .none, intent: Intent? = nil, using room: Reservation? = nil,
        _ write: (SaveWriter) throws -> Void
    ) throws -> URL {
        try save(
            as: content, named: name, expecting: expected, durability: durability, intent: intent,
            using: room, preparing: nil, write)
    }

    package func save(
        as content: ContentClass, named name: String, expecting expected: ByteCount?,
        durability: Durability, intent: Intent?, using room: Reservation?,
        preparing prepare: SavePreparation?, isSealed: Bool = false,
        _ write: (SaveWriter) throws -> Void
    ) throws -> URL {
        var operation = try operation(
            content, name, durability, intent, size: expected?.bytes, room, prepare)
        operation.isSealed = isSealed
        let file = try FileInProgress(operation)
        if let size = operation.size, room == nil { try file.reserve(size) }
        try write(SaveWriter(file: file))
        return URL(filePath: try file.finish(), directoryHint: .notDirectory)
    }
}

/// Writes a file that is being saved; see ``Storage``.
public struct SaveWriter {
    let file: FileInProgress

    /// Appends bytes. Blocks.
    ///
    /// - Throws: ``StorageError`` `insufficientSpace`, `io`.
    public func write(_ bytes: some ContiguousBytes) throws(StorageError) {
        try file.write(bytes)
    }
}

extension FileInProgress {
    func write(_ bytes: some ContiguousBytes) throws(StorageError) {
        // There is no form of this that forwards typed errors, and none that cannot throw.
        let result: Result<Void, any Error> = Result {
            unsafe try bytes.withUnsafeBytes { unsafe try write($0) }
        }
        do {
            try result.get()
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.io, "The bytes to be saved cannot be read: \(error).")
        }
    }
}
