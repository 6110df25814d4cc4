//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// What one slot of a protected file's header says; see Documentation/Design/0033-protection.md.
///
/// Nothing here is secret, and nothing of it is authentic before its code was checked with the file's
/// key.
package struct ProtectionHeader: Hashable, Sendable {
    /// `\x89HRP\r\n\x1A\n`: no text, and a transfer that alters line ends alters it.
    package static let magic: [UInt8] = [0x89, 0x48, 0x52, 0x50, 0x0D, 0x0A, 0x1A, 0x0A]
    package static let slotSize = 4096

    /// Whether an entry is a regular file with the header of a protected one.
    ///
    /// - Returns: false for a file that cannot be read: its owner can read a protected file.
    package static func begins(
        _ name: EntryName, _ status: FileStatus, at directory: Int32, _ calls: some FileSystemCalls
    ) -> Bool {
        guard status.type == .regular, status.logicalSize.bytes >= slotSize, !status.isDataless,
            let opened = try? calls.openFile(name, at: directory, writing: false)
        else { return false }
        let file = RegularFile(owning: Descriptor(owning: opened))
        return (try? file.read(magic.count, at: 0)) == magic
    }

    /// What the code authenticates.
    package static let authenticatedSize = 128
    package static let chunkExponents: ClosedRange<UInt8> = 10...20
    private static let checkedSize = slotSize - 4
    private static let version: UInt16 = 1

    package var level: ProtectionLevel
    /// Of the size of chunks, to the base of two.
    package var chunkExponent: UInt8
    package var generation: UInt64
    package var fileID: [UInt8]
    package var bagID: [UInt8]
    /// Zeros but for `completeUnlessOpen`.
    package var ephemeralKey: [UInt8]
    package var wrappedKey: [UInt8]
    package var code: [UInt8]

    package init(
        level: ProtectionLevel, chunkExponent: UInt8, generation: UInt64, fileID: [UInt8],
        bagID: [UInt8], ephemeralKey: [UInt8], wrappedKey: [UInt8], code: [UInt8] = []
    ) {
        self.level = level
        self.chunkExponent = chunkExponent
        self.generation = generation
        self.fileID = fileID
        self.bagID = bagID
        self.ephemeralKey = ephemeralKey
        self.wrappedKey = wrappedKey
        self.code = code
    }

    package var chunkSize: Int { 1 << Int(chunkExponent) }

    /// Why a slot is not one.
    package enum Failure: Error, Hashable, Sendable {
        case damaged
        /// Whole, and written by a later version.
        case unsupported
    }

    // MARK: - Coding

    /// Reads a slot: so many bytes as ``slotSize``.
    package init(decoding bytes: ArraySlice<UInt8>) throws(Failure) {
        guard bytes.count == Self.slotSize, bytes.starts(with: Self.magic) else { throw .damaged }
        var reader = ByteReader(bytes.dropFirst(Self.magic.count))
        let checked = Array(bytes.prefix(Self.checkedSize))
        var tail = ByteReader(bytes.dropFirst(Self.checkedSize))
        var checksum = CRC32C()
        unsafe checksum.update(checked.span.bytes)
        guard (try? tail.integer(UInt32.self)) == checksum.value else { throw .damaged }
        // What an attacker makes whole is found out by the code; this is about later versions.
        guard (try? reader.integer(UInt16.self)) == Self.version else { throw .unsupported }
        guard let number = try? reader.integer(UInt8.self),
            let level = ProtectionLevel(rawValue: number), level != .none,
            (try? reader.integer(UInt8.self)) == 1,
            let exponent = try? reader.integer(UInt8.self), Self.chunkExponents.contains(exponent),
            (try? reader.plain(3)) == [0, 0, 0]
        else { throw .unsupported }
        guard let generation = try? reader.integer(UInt64.self), generation > 0,
            let fileID = try? reader.plain(16), let bagID = try? reader.plain(16),
            let ephemeralKey = try? reader.plain(32), let wrappedKey = try? reader.plain(40),
            let code = try? reader.plain(32)
        else { throw .damaged }
        self.init(
            level: level, chunkExponent: exponent, generation: generation, fileID: fileID,
            bagID: bagID, ephemeralKey: ephemeralKey, wrappedKey: wrappedKey, code: code)
    }

    /// What the code is made of.
    package var authenticated: [UInt8] {
        var writer = ByteWriter(capacity: Self.authenticatedSize)
        writer.plain(Self.magic)
        writer.integer(Self.version)
        writer.plain([level.rawValue, 1, chunkExponent, 0, 0, 0])
        writer.integer(generation)
        for field in [fileID, bagID, ephemeralKey, wrappedKey] { writer.plain(field) }
        return writer.bytes
    }

    /// The whole slot.
    package var encoded: [UInt8] {
        var writer = ByteWriter(capacity: Self.slotSize)
        writer.plain(authenticated)
        writer.plain(code)
        writer.zeros(Self.checkedSize - writer.bytes.count)
        var checksum = CRC32C()
        unsafe checksum.update(writer.bytes.span.bytes)
        writer.integer(checksum.value)
        return writer.bytes
    }

    /// What is authenticated with each chunk.
    package var chunkContext: [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.plain([1, chunkExponent])
        writer.plain(fileID)
        return writer.bytes
    }
}
