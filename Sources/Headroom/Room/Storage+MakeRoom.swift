//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Makes room for something and keeps it: purges, in order, what the intent may spend until the
    /// bytes and the intent's reserve fit, and reserves them.
    ///
    ///     let room = try storage.makeRoom(for: .gigabytes(2), intent: .requested, at: movie)
    ///     for chunk in chunks { try room.write(chunk) }
    ///     try room.publish()
    ///
    /// Bytes that another process sharing the ledger has reserved are not counted twice. With a
    /// destination the blocks are really taken, so that nobody else gets them. Blocks.
    ///
    /// - Parameters:
    ///   - bytes: what is to be written.
    ///   - intent: why. Optional may spend temporary, and of caches what is expired or over its
    ///     limit; requested also caches; essential also last resort and, after everything else, caches
    ///     that were used within the app's `minIdle`. Kept free beside the bytes: the
    ///     warning threshold for optional, the critical one for requested, nothing for essential.
    ///   - content: what it is, and so on which volume; nil: as usual for the intent.
    ///   - destination: the file that is to be written, in a directory that exists; its volume counts
    ///     then. What stands there is replaced when the room is published, and not before.
    ///   - freesWhatItCan: purge also if the goal is out of reach. It throws then all the same.
    /// - Throws: ``StorageError`` `insufficientSpace`, with what is missing, before anything is
    ///   deleted if the plan cannot reach the goal; and after a purge, with its receipt, if the
    ///   volume has gained less than it should have.
    public func makeRoom(
        for bytes: ByteCount, intent: Intent, as content: ContentClass? = nil,
        at destination: URL? = nil, freesWhatItCan: Bool = false
    ) throws(StorageError) -> Reservation {
        var request = core.room(for: content ?? intent.usualClass, intent)
        var path: FilePath?
        if let destination {
            let named = FilePath(destination.path).settled
            request = core.room(at: named.removingLastComponent(), intent)
            path = named
        }
        do {
            return try request.make(bytes, at: path, freesWhatItCan: freesWhatItCan)
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func makeRoom(
        for bytes: ByteCount, intent: Intent, as content: ContentClass? = nil,
        at destination: URL? = nil, freesWhatItCan: Bool = false
    ) async throws(StorageError) -> Reservation {
        try await BlockingPool.shared.run { () throws(StorageError) -> Reservation in
            try makeRoom(
                for: bytes, intent: intent, as: content, at: destination,
                freesWhatItCan: freesWhatItCan)
        }
    }
}

extension Reservation {
    /// Appends to the content of the destination. Blocks.
    ///
    /// - Throws: ``Headroom/StorageError``: `refused` if no destination was named, or it has been published;
    ///   `insufficientSpace` if more is written than was reserved; `io`.
    public func write(_ data: Data) throws(StorageError) {
        // Data has no form of this that forwards typed errors.
        let result: Result<Void, HeadroomError> = unsafe data.withUnsafeBytes { bytes in
            do throws(HeadroomError) {
                return .success(unsafe try write(bytes))
            } catch {
                return .failure(error)
            }
        }
        do {
            try result.get()
        } catch {
            throw StorageError(error)
        }
    }
}
