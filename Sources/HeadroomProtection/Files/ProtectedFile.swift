//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import HeadroomEngine
package import HeadroomPlatform
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
    let bag: KeyBag
    let file: RegularFile
    let slot = FileKeySlot()

    /// Opens a file; a link is followed.
    ///
    /// - Throws: ``ProtectionError`` `locked`; `notProtected`; `otherKeyBag`; `damaged`; `unsupported`
    ///   if a later version wrote it; `io`.
    public convenience init(at url: URL, keys: KeyBag) throws(ProtectionError) {
        try self.init(path: FilePath(url.path), keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public convenience init(path: FilePath, keys bag: KeyBag) throws(ProtectionError) {
        try self.init(opened: try Self.open(path), path, bag)
    }

    /// - Parameter path: for messages.
    package convenience init(
        opened file: consuming RegularFile, _ path: FilePath, _ bag: KeyBag
    ) throws(ProtectionError) {
        try self.init(file, path, bag) { (area, slot) throws(ProtectionError) in
            try Self.authentic(area, bag, slot, path)
        }
    }

    /// Reads a file that was just made, with the keys that it was made with.
    convenience init(
        checking file: consuming RegularFile, _ path: FilePath, _ header: ProtectionHeader,
        _ keys: FileKeys, _ bag: KeyBag
    ) throws(ProtectionError) {
        try self.init(file, path, bag) { (area, slot) throws(ProtectionError) in
            guard area.current == header, !area.needsRepair else {
                throw .damaged(path, "its header is not as it was written")
            }
            slot.set(keys)
            return header
        }
    }

    private init(
        _ file: consuming RegularFile, _ path: FilePath, _ bag: KeyBag,
        _ choose: (ProtectionHeaderArea, FileKeySlot) throws(ProtectionError) -> ProtectionHeader
    ) throws(ProtectionError) {
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
}
#endif
