//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension Storage {
    /// Makes room for something and keeps it: purges, in order, what the intent may spend until the
    /// bytes and the intent's reserve fit, and reserves them.
    ///
    /// Bytes that another process sharing the ledger has reserved are not counted twice. Blocks.
    ///
    /// - Parameters:
    ///   - bytes: what is to be written.
    ///   - intent: why. Optional may spend temporary, and of caches what is expired or over its
    ///     limit; requested also caches; essential also last resort. Kept free beside the bytes: the
    ///     warning threshold for optional, the critical one for requested, nothing for essential.
    ///   - content: what it is, and so on which volume; nil: as usual for the intent.
    /// - Throws: ``StorageError`` `insufficientSpace`, with what is missing, before anything is
    ///   deleted if the plan cannot reach the goal; and after a purge if the volume has gained less
    ///   than it should have.
    public func makeRoom(
        for bytes: ByteCount, intent: Intent, as content: ContentClass? = nil
    ) throws(StorageError) -> Reservation {
        guard bytes >= .zero else {
            throw StorageError(.refused, "\(bytes) is no amount to write. Ask for 0 or more.")
        }
        let request = RoomRequest(
            core: core, content: content ?? intent.usualClass, intent: intent)
        return try RoomMaking(request: request, bytes: bytes).run()
    }

    /// The same without blocking.
    public func makeRoom(
        for bytes: ByteCount, intent: Intent, as content: ContentClass? = nil
    ) async throws(StorageError) -> Reservation {
        try await BlockingPool.shared.run { () throws(StorageError) -> Reservation in
            try makeRoom(for: bytes, intent: intent, as: content)
        }
    }
}

/// Purges and reserves until both hold at once.
private struct RoomMaking {
    let request: RoomRequest
    let bytes: ByteCount

    /// Others take room while we make some: after so many rounds they are faster than we are.
    private static let rounds = 8

    func run() throws(StorageError) -> Reservation {
        var receipt: Receipt?
        for _ in 0..<Self.rounds {
            if let slot = try reserve() { return Reservation(slot, bytes, receipt) }
            let reserved = try self.reserved()
            let prospect = try request.prospect(of: bytes, reserved: reserved)
            guard let plan = prospect.plan else { continue }
            guard prospect.shortBy == .zero else {
                let volume = prospect.volume.mountPoint.displayText
                throw StorageError(
                    .insufficientSpace,
                    "There is no room for \(bytes) on \(volume): \(prospect.needed) would have to "
                        + "be freed, and \(request.spendable(plan)). Free \(prospect.shortBy) more, "
                        + "or write less.", shortBy: prospect.shortBy)
            }
            receipt = try request.carryOut(
                plan, requester: "\(request.core.owner.text): room for \(bytes)")
        }
        let short = try request.prospect(of: bytes, reserved: try reserved()).needed
        throw StorageError(
            .insufficientSpace,
            "Room for \(bytes) was made, and taken by others each time"
                + (receipt.map { " (receipt \($0.id))" } ?? "")
                + ". \(max(short, ByteCount(1))) are missing. Try again later.",
            shortBy: max(short, ByteCount(1)))
    }

    /// - Returns: nil if there is not room enough.
    private func reserve() throws(StorageError) -> ReservationSlot? {
        let request = request
        let bytes = bytes
        let fileSystem = try self.fileSystem()
        do {
            return try table.reserve(bytes, on: fileSystem) { (others) throws(Errno) -> Bool in
                let prospect: RoomRequest.Prospect
                do throws(StorageError) {
                    // Asked anew while nobody else can reserve.
                    prospect = try request.prospect(of: bytes, reserved: others, planning: false)
                } catch {
                    throw error.cause ?? .ioError
                }
                return prospect.needed == .zero
            }
        } catch {
            throw StorageError(
                HeadroomError("reserve room in", request.core.workspace.ledger.directory, error))
        }
    }

    private func reserved() throws(StorageError) -> ByteCount {
        do {
            return try table.reserved(on: try fileSystem())
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.io, "What others have reserved cannot be read: \(error).")
        }
    }

    private var table: ReservationTable {
        ReservationTable(directory: request.core.workspace.ledger.directory)
    }

    private func fileSystem() throws(StorageError) -> UInt64 {
        guard let figures = try request.volume.figures else {
            throw StorageError(.io, "The volume does not say how full it is.")
        }
        return figures.fileSystemID
    }
}
