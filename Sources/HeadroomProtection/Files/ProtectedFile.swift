//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A protected file that is open for reading, from any place in it.
///
///     let file = try ProtectedFile(at: url, keys: keys)
///     let end = try file.read(at: file.size - 1024, count: 1024)
///
/// Opening it decrypts its last chunk: a file that was cut off or added to is not opened. Nothing is
/// handed out that is not authentic. Safe to use from several threads; calls block.
public final class ProtectedFile: Sendable {
    public let path: FilePath
    /// How many bytes of content it has.
    public let size: Int64
    public var level: ProtectionLevel { header.level }
    /// Whether one of the two copies of its header is damaged, or was not finished when its level was
    /// changed; `repairHeader(of:keys:)` mends it.
    public let needsRepair: Bool

    let header: ProtectionHeader
    private let bag: KeyBag
    private let file: RegularFile
    private let slot = FileKeySlot()

    /// Opens a file; a link is followed.
    ///
    /// - Throws: ``ProtectionError`` `locked`; `notProtected`; `otherKeyBag`; `damaged`; `unsupported`
    ///   if a later version wrote it; `io`.
    public convenience init(at url: URL, keys: KeyBag) throws(ProtectionError) {
        try self.init(path: FilePath(url.path), keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public convenience init(path: FilePath, keys bag: KeyBag) throws(ProtectionError) {
        try self.init(path, bag) { (area, slot) throws(ProtectionError) in
            try Self.authentic(area, bag, slot, path)
        }
    }

    /// Opens a file that was just made, with the keys that it was made with.
    convenience init(
        checking path: FilePath, _ header: ProtectionHeader, _ keys: FileKeys, _ bag: KeyBag
    ) throws(ProtectionError) {
        try self.init(path, bag) { (area, slot) throws(ProtectionError) in
            guard area.current == header, !area.needsRepair else {
                throw .damaged(path, "its header is not as it was written")
            }
            slot.set(keys)
            return header
        }
    }

    private init(
        _ path: FilePath, _ bag: KeyBag,
        _ choose: (ProtectionHeaderArea, FileKeySlot) throws(ProtectionError) -> ProtectionHeader
    ) throws(ProtectionError) {
        let file = try Self.open(path)
        let length = try Self.length(of: file, path)
        let area = try Self.area(of: file, path)
        guard
            let size = ProtectionHeaderArea.contentSize(
                ofFile: Int64(clamping: length), chunkSize: area.current.chunkSize)
        else { throw .damaged(path, "no protected file has a length of \(length) bytes") }
        self.path = path
        self.size = size
        self.bag = bag
        self.file = file
        let chosen = try choose(area, slot)
        header = chosen
        needsRepair = area.needsRepair || chosen != area.current
        // Authenticates the length.
        _ = try chunk(max(0, (size - 1) / Int64(chosen.chunkSize)))
    }

    private static func open(_ path: FilePath) throws(ProtectionError) -> RegularFile {
        do throws(Errno) {
            return try RegularFile(opening: path)
        } catch {
            throw ProtectionError("open", path, error)
        }
    }

    private static func length(
        of file: borrowing RegularFile, _ path: FilePath
    ) throws(ProtectionError) -> UInt64 {
        do throws(Errno) {
            return try file.size()
        } catch {
            throw ProtectionError("read", path, error)
        }
    }

    /// Reads the header of an open file.
    static func area(
        of file: borrowing RegularFile, _ path: FilePath
    ) throws(ProtectionError) -> ProtectionHeaderArea {
        let bytes: [UInt8]
        do {
            bytes = try file.read(ProtectionHeaderArea.size, at: 0)
        } catch {
            throw ProtectionError("read", path, error)
        }
        guard ProtectionHeaderArea.isProtected(bytes) else {
            throw ProtectionError(
                .notProtected, "\(path.displayText) is not protected. Read it as it is.")
        }
        do throws(ProtectionHeader.Failure) {
            return try ProtectionHeaderArea(decoding: bytes)
        } catch .unsupported {
            throw ProtectionError(
                .unsupported,
                "\(path.displayText) was protected by a later version. Use that to read it.")
        } catch {
            throw .damaged(path, "both copies of its header are damaged")
        }
    }

    /// The header that counts, and the file's keys into the slot.
    ///
    /// A header whose code is wrong was made whole by somebody; the other may be as it was written.
    static func authentic(
        _ area: ProtectionHeaderArea, _ bag: KeyBag, _ slot: FileKeySlot, _ path: FilePath
    ) throws(ProtectionError) -> ProtectionHeader {
        let others = area.slots.compactMap(\.self).filter { $0 != area.current }
        guard area.slots.contains(where: { $0?.bagID == bag.bagID }) else {
            throw ProtectionError(
                .otherKeyBag,
                "\(path.displayText) was protected with another key bag than "
                    + "\(bag.files.path.displayText). Restore that, or name its directory.")
        }
        for header in [area.current] + others where header.bagID == bag.bagID {
            var isAuthentic = true
            let keys = try bag.fill(slot, header.level) { (secret) throws(ProtectionError) in
                guard let keys = FileKeys.unwrap(header, with: secret) else {
                    isAuthentic = false
                    throw .damaged(path, "its header is not as it was written")
                }
                return keys
            }
            if keys != nil { return header }
            if isAuthentic { throw .locked(path, header.level) }
        }
        throw .damaged(path, "its header is not as it was written")
    }

    // MARK: - Reading

    /// Reads content; less than asked for only at the end.
    ///
    /// - Throws: ``ProtectionError`` `locked` if its level was locked since it was opened; `damaged`;
    ///   `invalid` for a place before the beginning; `io`.
    public func read(at offset: Int64, count: Int) throws(ProtectionError) -> Data {
        guard offset >= 0, count >= 0 else {
            throw ProtectionError(
                .invalid, "\(path.displayText) cannot be read at \(offset), for \(count) bytes.")
        }
        let (sum, isOver) = offset.addingReportingOverflow(Int64(count))
        let end = isOver ? size : min(size, sum)
        guard offset < end else {
            // Nothing is read, but who may not read is told so.
            _ = try keys()
            return Data()
        }
        let chunkSize = Int64(header.chunkSize)
        let first = offset / chunkSize
        let last = (end - 1) / chunkSize
        if first == last {
            let plain = try chunk(first)
            let start = plain.startIndex + Int(offset - first * chunkSize)
            return Data(plain[start..<start + Int(end - offset)])
        }
        var content = Data(capacity: Int(end - offset))
        var buffer = Data()
        try eachChunk(offset, end - offset) { (index, range) throws(ProtectionError) in
            content.append(try chunk(index, in: &buffer, try keys()).inside(range))
        }
        return content
    }

    /// Reads content in order and hands it out in pieces, of which one is in memory.
    ///
    /// - Throws: ``ProtectionError`` as ``read(at:count:)``; what the closure throws.
    public func readPieces(
        at offset: Int64 = 0, count: Int64 = .max, _ body: (Data) throws -> Void
    ) throws {
        var buffer = Data()
        var failure: (any Error)?
        try eachChunk(offset, count) { (index, range) throws(ProtectionError) in
            guard failure == nil else { return }
            let piece = try chunk(index, in: &buffer, try keys()).inside(range)
            do {
                try body(piece)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Calls back for each chunk of a range, with what of it belongs to the range.
    private func eachChunk(
        _ offset: Int64, _ count: Int64,
        _ body: (Int64, Range<Int>) throws(ProtectionError) -> Void
    ) throws(ProtectionError) {
        guard offset >= 0, count >= 0 else {
            throw ProtectionError(.invalid, "\(path.displayText) cannot be read at \(offset).")
        }
        let (sum, isOver) = offset.addingReportingOverflow(count)
        let end = isOver ? size : min(size, sum)
        let chunkSize = Int64(header.chunkSize)
        var position = offset
        while position < end {
            let index = position / chunkSize
            let start = position - index * chunkSize
            let stop = min(chunkSize, end - index * chunkSize)
            try body(index, Int(start)..<Int(stop))
            position = index * chunkSize + stop
        }
    }

    /// The chunk that was read last is kept: reading small parts in order decrypts each once.
    private func chunk(_ index: Int64) throws(ProtectionError) -> Data {
        let keys = try keys()
        if let plain = slot.latest(index) { return plain }
        var buffer = Data()
        let plain = try chunk(index, in: &buffer, keys)
        slot.keep(plain, index)
        return plain
    }

    /// - Parameter buffer: used again for the next, where it has the size.
    private func chunk(
        _ index: Int64, in buffer: inout Data, _ keys: FileKeys
    ) throws(ProtectionError) -> Data {
        let chunkSize = Int64(header.chunkSize)
        let length = Int(min(chunkSize, size - index * chunkSize)) + ProtectionHeaderArea.tagSize
        let place =
            Int64(ProtectionHeaderArea.size)
            + index * (chunkSize + Int64(ProtectionHeaderArea.tagSize))
        let needed = ChunkCipher.nonceSize + length
        if buffer.count != needed { buffer = Data(count: needed) }
        // Data has no form of this that forwards typed errors.
        let result: Result<Int, Errno> = unsafe buffer.withUnsafeMutableBytes { bytes in
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: bytes[ChunkCipher.nonceSize...])
            do throws(Errno) {
                return .success(unsafe try file.read(into: target, at: UInt64(place)))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(length): break
        case .success: throw .damaged(path, "it was cut off while it was read")
        case .failure(let error): throw ProtectionError("read", path, error)
        }
        let isLast = (index + 1) * chunkSize >= size
        guard
            let plain = ChunkCipher(keys, header).open(&buffer, index: index, isLast: isLast)
        else {
            throw .damaged(
                path, "the part that begins at byte \(index * chunkSize) is not as it was written")
        }
        return plain
    }

    /// The file's keys; unwrapped once more if things were locked and unlocked since.
    private func keys() throws(ProtectionError) -> FileKeys {
        if let keys = slot.current { return keys }
        let keys = try bag.fill(slot, header.level) { (secret) throws(ProtectionError) in
            guard let keys = FileKeys.unwrap(header, with: secret) else {
                throw .damaged(path, "its header is not as it was written")
            }
            return keys
        }
        guard let keys else { throw .locked(path, header.level) }
        return keys
    }
}

extension Data {
    /// A part, by offsets from the beginning.
    fileprivate func inside(_ range: Range<Int>) -> Data {
        range.count == count
            ? self : self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
#endif
