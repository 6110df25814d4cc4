//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// This process's part in a store: a number that nobody had before, and a lock that ends with the process.
///
/// The locks are on bytes far behind the end of the file `store`; the kernel drops them when the last
/// descriptor of the open file is closed, by whatever kind of death (fcntl(2), “Open file description locks”).
final class StoreSession: Sendable {
    let number: UInt32
    private let file: SharedFile
    private static let base: UInt64 = 1 << 62
    /// Whoever makes, replaces or removes the log's file has this one; behind those of all sessions.
    static let gateByte = base + 1 << 33

    /// - Parameter last: the last number that was given.
    init(after last: UInt32, in directory: StateDirectory) throws(Errno) {
        let file = try SharedFile.open(StoreNames.identity, in: directory, forWriting: true)
        var number = last
        var tries = 0
        repeat {
            // All of them are held by who lets nobody open the store meanwhile, and may have been stopped.
            tries += 1
            if tries > 10_000 { throw .resourceTemporarilyUnavailable }
            // Whoever holds one that the log does not know has lost the log.
            number &+= 1
            if number == 0 { number = 1 }
        } while try !StateLock.takeRange(
            file.descriptor.rawValue, offset: Self.base + UInt64(number), count: 1)
        self.number = number
        self.file = file
    }

    /// Runs `body` if nobody has the store open; nobody opens it meanwhile.
    ///
    /// - Parameter file: the file `store`, opened for this alone.
    /// - Returns: whether it ran.
    static func whileClosed(
        _ file: borrowing RegularFile, _ body: (borrowing RegularFile) throws(Errno) -> Void
    ) throws(Errno) -> Bool {
        let lock = file.descriptor.rawValue
        guard try StateLock.takeRange(lock, offset: base, count: 1 << 33) else { return false }
        defer { StateLock.releaseRange(lock, offset: base, count: 1 << 33) }
        try body(file)
        return true
    }

    /// Whether the process of another session lives and has the store open.
    func isAlive(_ other: UInt32) -> Bool {
        // Who cannot be asked about counts as alive.
        (try? StateLock.isRangeTaken(
            file.descriptor.rawValue, offset: Self.base + UInt64(other), count: 1)) ?? true
    }

    /// Whether any other process has the store open.
    var hasCompany: Bool {
        (try? StateLock.isRangeTaken(
            file.descriptor.rawValue, offset: Self.base, count: 1 << 33)) ?? true
    }

    /// The sessions of all other processes that have the store open.
    func others() throws(Errno) -> [UInt32] {
        try StateLock.takenBytes(
            file.descriptor.rawValue, offset: Self.base, count: 1 << 32
        ).map { UInt32(clamping: $0 - Self.base) }
    }

    /// The same, asked by somebody who has no part in it.
    static func isAlive(_ number: UInt32, _ file: SharedFile) -> Bool {
        (try? StateLock.isRangeTaken(
            file.descriptor.rawValue, offset: base + UInt64(number), count: 1)) ?? true
    }

    /// Whether any process has the store open, asked by somebody who has no part in it.
    static func isOpen(_ file: SharedFile) -> Bool {
        (try? StateLock.isRangeTaken(file.descriptor.rawValue, offset: base, count: 1 << 33))
            ?? true
    }

    /// Whether anybody uses an entry, asked by somebody who has no part in the store.
    static func isLocked(_ hash: UInt64, _ file: SharedFile) -> Bool {
        (try? StateLock.isRangeTaken(file.descriptor.rawValue, offset: hash >> 2, count: 1)) ?? true
    }

    // MARK: - Pins

    /// Tells other processes that an entry is in use.
    func lock(_ hash: UInt64) throws(Errno) {
        _ = try StateLock.takeRange(
            file.descriptor.rawValue, offset: hash >> 2, count: 1, .shared)
    }

    func unlock(_ hash: UInt64) {
        StateLock.releaseRange(file.descriptor.rawValue, offset: hash >> 2, count: 1)
    }

    /// Whether another process uses an entry, or one whose hash is nearly the same.
    func isLockedElsewhere(_ hash: UInt64) -> Bool {
        (try? StateLock.isRangeTaken(
            file.descriptor.rawValue, offset: hash >> 2, count: 1)) ?? true
    }
}
