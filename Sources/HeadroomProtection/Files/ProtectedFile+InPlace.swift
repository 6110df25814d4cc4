//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
public import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProtectedFile {
    /// Encrypts a file where it is.
    ///
    /// A new file is written, read back and compared, and takes the place of the old one: whatever
    /// happens, one of the two stands whole at the name, and what another program puts there
    /// meanwhile is not lost. Owner, permissions, times and attributes (marks too)
    /// go along. On disk when it returns. **The old content is not wiped**: its blocks are free, and
    /// may be found on the disk until they are used again; what was never written in clear is
    /// safer. Blocks.
    ///
    /// - Parameter marks: of the ledger, where marks are that the file system cannot hold: they are
    ///   recorded anew for the new file. With them, the path has to be absolute.
    /// - Throws: ``ProtectionError`` `alreadyProtected`; `locked`; `unsupported` for what is no
    ///   regular file or has several names; `busy` if it is leased; `changed` if it was written or
    ///   replaced meanwhile; `io`. The file is as it was then, unless the message says that its mark
    ///   alone could not be recorded.
    public static func protect(
        _ url: URL, level: ProtectionLevel, keys: KeyBag, marks: MarkStore? = nil
    ) throws(ProtectionError) {
        try protect(FilePath(url.path), level: level, keys: keys, marks: marks)
    }

    /// The same by a path, whose bytes may be any.
    public static func protect(
        _ path: FilePath, level: ProtectionLevel, keys: KeyBag, marks: MarkStore? = nil
    ) throws(ProtectionError) {
        try protect(path, level: level, keys: keys, marks: marks) { _ in }
    }

    /// - Parameters:
    ///   - isNamed: as where no file can be made without a name.
    ///   - atStep: called before each step of writing, with its number.
    package static func protect(
        _ path: FilePath, level: ProtectionLevel, keys: KeyBag, marks: MarkStore? = nil,
        isNamed: Bool = false, atStep: (Int) -> Void
    ) throws(ProtectionError) {
        guard level != .none else {
            throw ProtectionError(.invalid, "To decrypt a file, unprotect it.")
        }
        try inPlace("protect", path, marks, isNamed, atStep) { replacement in
            let beginning = try replacement.source.read(ProtectionHeaderArea.size, at: 0)
            guard !ProtectionHeaderArea.isProtected(beginning) else {
                throw ProtectionError(
                    .alreadyProtected,
                    "\(path.displayText) is protected already. Its level can be changed.")
            }
            var sealer = try ContentSealer(level: level, bag: keys)
            let header = sealer.header
            let fileKeys = sealer.keys
            try replacement.write(sealer.beginning)
            var digest = Crypto.SHA256()
            try eachPiece(of: replacement.source) { piece in
                digest.update(data: piece)
                try sealer.append(piece) { try replacement.write($0) }
            }
            try sealer.finish { try replacement.write($0) }
            try replacement.complete()
            // With the keys that it was made with: completeUnlessOpen can be checked while locked.
            let written = try ProtectedFile(
                checking: try replacement.written(), path, header, fileKeys, keys)
            try written.compare(with: digest.finalize(), path)
        }
    }

    /// Decrypts a file where it is, as carefully as `protect(_:level:keys:marks:)`.
    ///
    /// - Throws: as that; `notProtected`; `damaged`.
    public static func unprotect(
        _ url: URL, keys: KeyBag, marks: MarkStore? = nil
    ) throws(ProtectionError) {
        try unprotect(FilePath(url.path), keys: keys, marks: marks)
    }

    /// The same by a path, whose bytes may be any.
    public static func unprotect(
        _ path: FilePath, keys: KeyBag, marks: MarkStore? = nil
    ) throws(ProtectionError) {
        try unprotect(path, keys: keys, marks: marks) { _ in }
    }

    /// - Parameters: as those of protecting.
    package static func unprotect(
        _ path: FilePath, keys: KeyBag, marks: MarkStore? = nil, isNamed: Bool = false,
        atStep: (Int) -> Void
    ) throws(ProtectionError) {
        try inPlace("decrypt", path, marks, isNamed, atStep) { replacement in
            let file = try ProtectedFile(opened: try replacement.sourceAgain(), path, keys)
            var digest = Crypto.SHA256()
            try file.readPieces { piece in
                digest.update(data: piece)
                try replacement.write(piece)
            }
            try replacement.complete()
            let expected = digest.finalize()
            var found = Crypto.SHA256()
            try eachPiece(of: try replacement.written()) { found.update(data: $0) }
            guard found.finalize() == expected else { throw Self.readBack(path) }
        }
    }

    /// Removes what protecting or decrypting files of a directory has left there when it was cut off
    /// at a bad moment: files that nobody has locked, named `.headroom-swapping-…` (the old file or
    /// the new one, of which the other stands at the name) or `.headroom-saving-…`. Not in the
    /// directories below. Blocks; reads the directory's names.
    ///
    /// `Storage.start()` does it in an app's own places, `headroom protect` in the directories of
    /// what it is given.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public static func removeLeftovers(in directory: FilePath) -> Int {
        var sweep = OrphanSweep(now: .now())
        sweep.run(in: directory, isRecursive: false)
        return sweep.count
    }

    private static func inPlace(
        _ operation: String, _ path: FilePath, _ marks: MarkStore?, _ isNamed: Bool,
        _ atStep: (Int) -> Void, _ work: (FileReplacement) throws -> Void
    ) throws(ProtectionError) {
        do {
            // mutation: s1e-4
            if marks?.isRecord(path) == true {
                throw ProtectionError(
                    .unsupported,
                    "\(path.displayText) is one of Headroom's own records, which it has to read itself. "
                        + "Keys among them are protected by the passphrase.")
            }
            let mark = try marks?.mark(of: path) ?? .none
            let replacement = try FileReplacement.begin(operation, path, isNamed: isNamed)
            do {
                atStep(0)
                try work(replacement)
                try replacement.publish(atStep: atStep)
            } catch {
                replacement.discard()
                throw error
            }
            // mutation: r36d-2
            if let marks, !mark.isEmpty { try record(mark, on: path, marks) }
        } catch let error as ProtectionError {
            throw error
        } catch let error as Errno {
            throw ProtectionError(operation, path, error)
        } catch let error as HeadroomError {
            throw ProtectionError(.io, error.message, cause: error.cause)
        } catch {
            throw ProtectionError(
                .io, "Could not \(operation) \(path.displayText): \(error).")
        }
    }

    /// Tells the ledger that the mark is now another inode's.
    private static func record(
        _ mark: Mark, on path: FilePath, _ marks: MarkStore
    ) throws(ProtectionError) {
        do throws(HeadroomError) {
            try marks.update(path) { $0 = mark }
        } catch {
            // A damaged mark has gone along as it is, and protects.
            guard error.code != .refused else { return }
            throw ProtectionError(
                .io,
                "\(path.displayText) has its new protection, but its mark could not be recorded for "
                    + "the new file: \(error.message) Set the mark again.", cause: error.cause)
        }
    }

    private static func eachPiece(
        of file: borrowing RegularFile, _ body: (Data) throws -> Void
    ) throws {
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(1 << 20, at: offset)
            if piece.isEmpty { return }
            try body(Data(piece))
            offset += UInt64(piece.count)
        }
    }

    private static func readBack(_ path: FilePath) -> ProtectionError {
        ProtectionError(
            .io,
            "\(path.displayText) stays as it is: what was written in its place read back otherwise. "
                + "Check the disk.")
    }

    /// Compares all content with a digest.
    private func compare(with expected: Crypto.SHA256.Digest, _ path: FilePath) throws {
        var digest = Crypto.SHA256()
        try readPieces { digest.update(data: $0) }
        guard digest.finalize() == expected else { throw Self.readBack(path) }
    }
}
#endif
