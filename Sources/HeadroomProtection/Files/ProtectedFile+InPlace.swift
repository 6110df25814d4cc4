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
    /// A new file is written beside it, read back and compared, and renamed onto it: whatever happens,
    /// one of the two stands whole at the name. Owner, permissions, times and attributes (marks too)
    /// go along. On disk when it returns. **The old content is not wiped**: its blocks are free, and
    /// may be found on the disk until they are used again; what was never written in clear is
    /// safer. Blocks.
    ///
    /// - Throws: ``ProtectionError`` `alreadyProtected`; `locked`; `unsupported` for what is no
    ///   regular file or has several names; `busy` if it is leased; `changed` if it was written
    ///   meanwhile; `io`. The file is as it was then.
    public static func protect(
        _ url: URL, level: ProtectionLevel, keys: KeyBag
    ) throws(ProtectionError) {
        try protect(FilePath(url.path), level: level, keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public static func protect(
        _ path: FilePath, level: ProtectionLevel, keys: KeyBag
    ) throws(ProtectionError) {
        guard level != .none else {
            throw ProtectionError(.invalid, "To decrypt a file, unprotect it.")
        }
        try inPlace("protect", path) { replacement in
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
            try replacement.readSource { piece in
                digest.update(data: piece)
                try sealer.append(piece) { try replacement.write($0) }
            }
            try sealer.finish { try replacement.write($0) }
            try replacement.complete()
            // With the keys that it was made with: completeUnlessOpen can be checked while locked.
            let written = try ProtectedFile(
                checking: replacement.targetPath, header, fileKeys, keys)
            try written.compare(with: digest.finalize(), path)
        }
    }

    /// Decrypts a file where it is, as carefully as `protect(_:level:keys:)`.
    ///
    /// - Throws: as that; `notProtected`; `damaged`.
    public static func unprotect(_ url: URL, keys: KeyBag) throws(ProtectionError) {
        try unprotect(FilePath(url.path), keys: keys)
    }

    /// The same by a path, whose bytes may be any.
    public static func unprotect(_ path: FilePath, keys: KeyBag) throws(ProtectionError) {
        try inPlace("decrypt", path) { replacement in
            let file = try ProtectedFile(path: path, keys: keys)
            var digest = Crypto.SHA256()
            try file.readPieces { piece in
                digest.update(data: piece)
                try replacement.write(piece)
            }
            try replacement.complete()
            let expected = digest.finalize()
            var found = Crypto.SHA256()
            let written = try RegularFile(opening: replacement.targetPath)
            var offset: UInt64 = 0
            while true {
                let piece = try written.read(1 << 20, at: offset)
                if piece.isEmpty { break }
                found.update(data: piece)
                offset += UInt64(piece.count)
            }
            guard found.finalize() == expected else { throw Self.readBack(path) }
        }
    }

    private static func inPlace(
        _ operation: String, _ path: FilePath, _ work: (FileReplacement) throws -> Void
    ) throws(ProtectionError) {
        do {
            let replacement = try FileReplacement.begin(operation, path)
            do {
                try work(replacement)
                try replacement.publish()
            } catch {
                replacement.target.discard()
                throw error
            }
        } catch let error as ProtectionError {
            throw error
        } catch let error as Errno {
            throw ProtectionError(operation, path, error)
        } catch {
            throw ProtectionError(
                .io, "Could not \(operation) \(path.displayText): \(error).")
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
