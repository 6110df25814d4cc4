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

extension ProtectedFile {
    /// Changes the level of a protected file. Its content is not touched: its key is wrapped anew.
    ///
    /// One copy of the header is on disk before the other is written: if the process dies, or the
    /// power goes, the file has its old level or the new one. On disk when it returns. Blocks.
    ///
    /// - Throws: ``ProtectionError`` `locked` if the key of the old level or of the new one is not at
    ///   hand; `busy` if the file is leased or somebody else changes it; as opening it.
    public static func changeLevel(
        of url: URL, to level: ProtectionLevel, keys: KeyBag
    ) throws(ProtectionError) {
        try changeLevel(of: FilePath(url.path), to: level, keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public static func changeLevel(
        of path: FilePath, to level: ProtectionLevel, keys: KeyBag
    ) throws(ProtectionError) {
        try changeLevel(of: path, to: level, keys: keys) { _ in }
    }

    /// - Parameter atStep: called before each step of writing, with its number.
    package static func changeLevel(
        of path: FilePath, to level: ProtectionLevel, keys: KeyBag, atStep: (Int) -> Void
    ) throws(ProtectionError) {
        guard level != .none else {
            throw ProtectionError(.invalid, "To decrypt a file, unprotect it.")
        }
        let opened = try openForChange(path)
        let area = opened.area
        let slot = FileKeySlot()
        let old = try authentic(area, keys, slot, path)
        guard let fileKeys = slot.current else { throw .locked(path, old.level) }
        guard old.level != level || area.needsRepair else { return }
        let plan = FileKeys.Plan(
            level: level, chunkExponent: old.chunkExponent, fileID: old.fileID,
            generation: old.generation + 1)
        let new = try fileKeys.header(plan, keys)
        let kept = area.slots[1] == old && area.currentSlot == 1 ? 1 : 0
        try write(new, to: opened.file, sparing: kept, path, atStep)
    }

    /// Makes the two copies of a header alike again, after damage or a change that was cut off.
    ///
    /// - Throws: as `changeLevel(of:to:keys:)`.
    public static func repairHeader(of url: URL, keys: KeyBag) throws(ProtectionError) {
        try repairHeader(of: FilePath(url.path), keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public static func repairHeader(of path: FilePath, keys: KeyBag) throws(ProtectionError) {
        let opened = try openForChange(path)
        let area = opened.area
        let good = try authentic(area, keys, FileKeySlot(), path)
        guard area.needsRepair else { return }
        try write(good, to: opened.file, sparing: area.slots[0] == good ? 0 : 1, path) { _ in }
    }

    private struct OpenedForChange: ~Copyable {
        let file: RegularFile
        let area: ProtectionHeaderArea

        // A child that was just forked would keep the lock until it calls exec.
        deinit { FileLock.unlock(file.descriptor.rawValue) }
    }

    /// Opens a file whose header is to be written, alone.
    private static func openForChange(
        _ path: FilePath
    ) throws(ProtectionError) -> OpenedForChange {
        let name = try path.fileName()
        let file: RegularFile
        do throws(Errno) {
            let parent = path.removingLastComponent()
            let place = try DirectoryCreation.existing(parent.isEmpty ? FilePath(".") : parent)
            file = try RegularFile(name, at: place.rawValue, writing: true)
        } catch {
            throw ProtectionError("change the protection of", path, error)
        }
        guard FileLock.tryExclusive(file.descriptor.rawValue) != .refused else {
            throw ProtectionError(
                .busy,
                "Could not change the protection of \(path.displayText): it is in use. Try again "
                    + "later.")
        }
        let area = try area(of: file, path)
        return OpenedForChange(file: file, area: area)
    }

    /// Writes a header into both slots, first where the one that counts is not.
    private static func write(
        _ header: ProtectionHeader, to file: borrowing RegularFile, sparing kept: Int,
        _ path: FilePath, _ atStep: (Int) -> Void
    ) throws(ProtectionError) {
        let bytes = header.encoded
        do throws(Errno) {
            for (number, slot) in [1 - kept, kept].enumerated() {
                atStep(2 * number)
                try file.write(bytes, at: UInt64(slot * ProtectionHeader.slotSize))
                atStep(2 * number + 1)
                try file.synchronize()
            }
            atStep(4)
        } catch {
            throw ProtectionError("change the protection of", path, error)
        }
    }
}
#endif
