//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// What processes that share a ledger have reserved on volumes and not yet taken.
///
/// A file of fixed slots beside the ledger. A reservation is a slot whose range of bytes its owner
/// holds locked (an open-file-description lock): the kernel releases it when the owner dies, and the
/// slot then counts as free. The file is allocated whole when it is made, so that reserving works on
/// a full volume. Decisions are made under the lock of the whole file, which is held for some system
/// calls only. All calls block.
package struct ReservationTable: Sendable {
    /// The directory of the ledger.
    package let directory: FilePath
    /// Made once: saves ask for it again and again.
    private let path: FilePath

    static let name = "reservations"
    package static let slotSize: UInt64 = 64
    package static let slotCount: UInt64 = 128
    private static let magic: UInt32 = 0x4852_5352
    /// How long a stopped process may keep all others waiting.
    private static let patience: Duration = .seconds(5)

    package init(directory: FilePath) {
        self.directory = directory
        path = directory.appending(Self.name)
    }

    /// What others have reserved on a file system.
    ///
    /// - Returns: zero also where there is no table yet.
    package func reserved(on fileSystem: UInt64) throws(Errno) -> ByteCount {
        do throws(Errno) {
            return try sum(of: fileSystem)
        } catch .noSuchFileOrDirectory {
            return .zero
        }
    }

    /// How many reservations were ever made here: others who made some meanwhile have changed it.
    package var made: UInt64 {
        get throws(Errno) {
            do throws(Errno) {
                return try Self.made(try openForReading())
            } catch .noSuchFileOrDirectory {
                return 0
            }
        }
    }

    private func sum(of fileSystem: UInt64) throws(Errno) -> ByteCount {
        let file = try RegularFile(
            Self.name, in: try StateDirectory(opening: directory), .reading)
        try StateLock.take(file.descriptor.rawValue, .shared, limit: Self.patience)
        defer { StateLock.release(file.descriptor.rawValue) }
        return try Self.sum(file, fileSystem)
    }

    /// Reserves bytes, if that is still possible once what others have reserved is known.
    ///
    /// - Parameter allows: is given what others have reserved; nobody can reserve meanwhile.
    /// - Returns: nil if it is not allowed.
    /// - Throws: `EBUSY` if there are more reservations than slots; what the system says.
    package func reserve(
        _ bytes: ByteCount, on fileSystem: UInt64, if allows: (ByteCount) throws(Errno) -> Bool
    ) throws(Errno) -> ReservationSlot? {
        let file = try openForWriting()
        try StateLock.take(file.descriptor.rawValue, .exclusive, limit: Self.patience)
        defer { StateLock.release(file.descriptor.rawValue) }
        // mutation: r7c-2
        guard try allows(try Self.sum(file, fileSystem)) else { return nil }
        for index in 0..<Self.slotCount {
            let offset = index * Self.slotSize
            // A description of its own: it is what the lock belongs to.
            guard
                try !StateLock.isRangeTaken(
                    file.descriptor.rawValue, offset: offset, count: Self.slotSize)
            else { continue }
            let own = try openForWriting()
            guard
                try StateLock.takeRange(
                    own.descriptor.rawValue, offset: offset, count: Self.slotSize)
            else { continue }
            try own.write(Self.encode(bytes, fileSystem), at: offset)
            try own.write(Self.encode(try Self.made(file) &+ 1), at: Self.madeOffset)
            return ReservationSlot(
                own, OwnSlots.Key(directory: directory, offset: offset), fileSystem)
        }
        throw .resourceBusy
    }

    package func openForReading() throws(Errno) -> RegularFile {
        try RegularFile(opening: path)
    }

    /// Creates an empty table in a state directory unless its name exists, so that a reservation on a
    /// full volume does not have to. The first reservation checks an existing file of that name.
    static func prepare(in place: StateDirectory) throws(Errno) {
        if place.contains(Self.name) { return }
        try place.lock(limit: Self.patience)
        defer { place.unlock() }
        // Another process may have made it since.
        if place.contains(Self.name) { return }
        _ = try make(in: place)
    }

    private func openForWriting() throws(Errno) -> RegularFile {
        let place = try StateDirectory(creating: directory)
        if try isTable(in: place) { return try RegularFile(Self.name, in: place, .writing) }
        try place.lock(limit: Self.patience)
        defer { place.unlock() }
        // Somebody else may have made it meanwhile.
        if try isTable(in: place) { return try RegularFile(Self.name, in: place, .writing) }
        // What has the name and is none is somebody's, in a directory that may be anybody's.
        if place.contains(Self.name) {
            try place.rename(Self.name, to: place.asideName(for: Self.name, at: .now()))
        }
        return try Self.make(in: place)
    }

    /// Whether what has the name is a table: as long as one, with nothing or a slot at the place of each, or
    /// with one slot at least where others are damaged.
    private func isTable(in place: StateDirectory) throws(Errno) -> Bool {
        let length = Int(Self.slotCount * Self.slotSize)
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try RegularFile(Self.name, in: place, .reading).read(length + 1, at: 0)
        } catch {
            // A link, a directory, another user's; of what passes nothing is said.
            guard error.isNoSuchFile || error == .permissionDenied else { throw error }
            return false
        }
        // mutation: s7b-6
        guard bytes.count == length else { return false }
        let heads = stride(from: 0, to: length, by: Int(Self.slotSize)).map { start in
            var reader = ByteReader(bytes[start...])
            return try? reader.integer(UInt32.self)
        }
        return heads.contains(Self.magic) || heads.allSatisfy { $0 == 0 }
    }

    private static func make(in place: StateDirectory) throws(Errno) -> RegularFile {
        let file = try RegularFile(Self.name, in: place, .replacing)
        do throws(Errno) {
            try file.preallocate(Self.slotCount * Self.slotSize)
        } catch {
            // Half a table would be taken for a whole one.
            try place.remove(Self.name)
            throw error
        }
        return file
    }

    // MARK: - Slots

    /// The sum of the live reservations on a file system. The caller holds the lock of the file.
    package static func sum(
        _ file: borrowing RegularFile, _ fileSystem: UInt64, leavingOut own: Set<UInt64> = []
    ) throws(Errno) -> ByteCount {
        let bytes = try file.read(Int(slotCount * slotSize), at: 0)
        var sum = ByteCount.zero
        for index in 0..<slotCount {
            let start = Int(index * slotSize)
            guard bytes.count >= start + Int(slotSize),
                let slot = decode(bytes[start..<start + Int(slotSize)]),
                slot.fileSystem == fileSystem, slot.bytes > .zero,
                // mutation: r7c-3 (3 lines)
                !own.contains(index * slotSize),
                try StateLock.isRangeTaken(
                    file.descriptor.rawValue, offset: index * slotSize, count: slotSize)
            else { continue }
            sum += slot.bytes
        }
        return sum
    }

    /// In the first slot, behind what a slot says.
    private static let madeOffset: UInt64 = 32

    private static func made(_ file: borrowing RegularFile) throws(Errno) -> UInt64 {
        var reader = ByteReader(try file.read(8, at: madeOffset)[...])
        return (try? reader.integer(UInt64.self)) ?? 0
    }

    private static func encode(_ made: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(made)
        return writer.bytes
    }

    /// - Returns: less than a slot, whose rest stays as it is.
    static func encode(_ bytes: ByteCount, _ fileSystem: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(magic)
        writer.integer(checksum(bytes.bytes, fileSystem))
        writer.integer(fileSystem)
        writer.integer(bytes.bytes)
        return writer.bytes
    }

    /// - Returns: nil for an empty slot, and for one that is damaged, which nobody can rely on.
    private static func decode(
        _ bytes: ArraySlice<UInt8>
    ) -> (bytes: ByteCount, fileSystem: UInt64)? {
        var reader = ByteReader(bytes)
        guard let found = try? reader.integer(UInt32.self), found == magic,
            let sum = try? reader.integer(UInt32.self),
            let fileSystem = try? reader.integer(UInt64.self),
            let amount = try? reader.integer(Int64.self),
            sum == checksum(amount, fileSystem)
        else { return nil }
        return (ByteCount(amount), fileSystem)
    }

    private static func checksum(_ bytes: Int64, _ fileSystem: UInt64) -> UInt32 {
        var sum = CRC32C()
        sum.update(UInt64(bitPattern: bytes))
        sum.update(fileSystem)
        return sum.value
    }
}
