//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// The file `store`: what keys are hashed with, and when time begins for a store.
///
/// Lost, it costs the index, which is then made again from the files: these say themselves when their
/// time began. So it does where time begins anew (``restarted(in:now:)``).
package struct StoreIdentity: Hashable, Sendable {
    static let marker: [UInt8] = Array("HRCS\u{1}\0\0\0".utf8)

    /// Time begins somewhat before the store: it may have been there before, and lost this file.
    private static let leeway = Duration.seconds(30 * 86400)
    /// 2026: there was no store before. A clock that says so has not been set.
    private static let earliest = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    let key: FingerprintKey
    package let epoch: Timestamp

    /// When the store was made.
    var created: Timestamp { epoch.advanced(by: Self.leeway) }

    /// Tells the log of this store from others.
    package var fingerprint: UInt64 {
        var hasher = SipHasher(key)
        hasher.combine(UInt64(bitPattern: epoch.nanoseconds))
        return hasher.finish()
    }

    /// Reads it, or makes it.
    static func open(
        in directory: StateDirectory, now: Timestamp
    ) throws(Errno) -> StoreIdentity {
        if let found = try read(in: directory) { return found }
        try directory.lock(limit: .seconds(5))
        defer { directory.unlock() }
        // Somebody else may have made it meanwhile.
        if let found = try read(in: directory) { return found }
        let made = StoreIdentity(key: .random(), epoch: epoch(at: now))
        let temporary = "\(StoreNames.identity).new"
        let file = try RegularFile(temporary, in: directory, .replacing)
        try file.write(made.bytes, at: 0)
        try file.synchronize()
        try directory.rename(temporary, to: StoreNames.identity)
        try directory.synchronize()
        return made
    }

    /// When the time of a store begins that is made now.
    private static func epoch(at now: Timestamp) -> Timestamp {
        max(now, earliest).advanced(by: .zero - leeway)
    }

    /// Whether the store can tell times as far ahead as half its time reaches.
    private func isInTime(_ now: Timestamp) -> Bool {
        if now < Self.earliest { return true }
        return now >= epoch && now < epoch.advanced(by: StoreTick.range / 2)
    }

    /// Has time begin anew, where the clock was wrong when the store was made or that is years ago: values would
    /// not expire any more.
    ///
    /// The log is as good as another store's then: what is in the files is found in the background, with the times that
    /// they say.
    ///
    /// - Returns: nil if that need not be, or somebody has the store open.
    func restarted(
        in directory: StateDirectory, now: Timestamp
    ) throws(Errno) -> StoreIdentity? {
        if isInTime(now) { return nil }
        let made = StoreIdentity(key: key, epoch: Self.epoch(at: now))
        let file = try RegularFile(StoreNames.identity, in: directory, .writing)
        // In place: who opens the store now locks this very file. Torn, it is as good as lost.
        let isDone = try StoreSession.whileClosed(file) { (file) throws(Errno) in
            guard try StoreIdentity(file.read(64, at: 0)) == self else { return }
            try file.write(made.bytes, at: 0)
        }
        guard isDone else { return nil }
        try file.synchronizeData()
        return made
    }

    package static func read(in directory: StateDirectory) throws(Errno) -> StoreIdentity? {
        guard directory.contains(StoreNames.identity) else { return nil }
        do throws(Errno) {
            let bytes = try RegularFile(StoreNames.identity, in: directory, .reading).read(
                64, at: 0)
            return StoreIdentity(bytes)
        } catch {
            // Whatever it is, it is not ours; the rename shows whether it may be replaced.
            guard error.isNoSuchFile else { throw error }
            return nil
        }
    }

    private init(key: FingerprintKey, epoch: Timestamp) {
        self.key = key
        self.epoch = epoch
    }

    private init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard bytes.starts(with: Self.marker),
            (try? reader.integer(UInt64.self)) != nil,
            let first = try? reader.integer(UInt64.self),
            let second = try? reader.integer(UInt64.self),
            let epoch = try? reader.integer(Int64.self),
            let sum = try? reader.integer(UInt32.self),
            sum == Self.sum(Array(bytes[..<32]))
        else { return nil }
        self.init(
            key: FingerprintKey(first, second), epoch: Timestamp(nanoseconds: epoch))
    }

    private var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Self.marker { writer.integer(byte) }
        writer.integer(key.first)
        writer.integer(key.second)
        writer.integer(epoch.nanoseconds)
        writer.integer(Self.sum(writer.bytes))
        return writer.bytes
    }

    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        unsafe RecordHeader.sum(bytes.span.bytes)
    }

    /// The hash of a tag.
    func hash(tag: String) -> UInt64 {
        let bytes = Array(tag.utf8)
        return unsafe hash(bytes.span.bytes)
    }

    /// The hash under which the entry of a key is found.
    func hash(_ key: RawSpan) -> UInt64 {
        var hasher = SipHasher(self.key)
        var offset = 0
        while offset &+ 8 <= key.byteCount {
            // In bounds by the loop's condition.
            hasher.combine(
                unsafe UInt64(
                    littleEndian: key.unsafeLoadUnaligned(
                        fromUncheckedByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        var last: UInt64 = 0
        while offset < key.byteCount {
            let byte = unsafe key.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt8.self)
            last = last << 8 | UInt64(byte)
            offset &+= 1
        }
        hasher.combine(last)
        hasher.combine(UInt64(key.byteCount))
        return hasher.finish()
    }
}
