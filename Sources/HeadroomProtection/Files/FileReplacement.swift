//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Puts a file with other bytes and the same meaning in the place of one: what encrypting and
/// decrypting in place have in common.
///
/// The old file is there until the new one is on disk and was read back; at every moment one of them
/// stands whole at the name.
package final class FileReplacement {
    let path: FilePath
    let source: RegularFile
    let target: NewFile
    private let place: Descriptor
    private let name: FileName
    private let before: FileStatus

    /// - Parameter operation: as it stands in the sentence, `protect`.
    /// - Throws: ``ProtectionError`` `unsupported` for what has other names or is no regular file,
    ///   `busy` if it is leased.
    package static func begin(
        _ operation: String, _ path: FilePath
    ) throws(ProtectionError) -> FileReplacement {
        let begun = try open(operation, path, try path.fileName())
        guard begun.before.linkCount == 1 else {
            throw ProtectionError(
                .unsupported,
                "Could not \(operation) \(path.displayText): it has \(begun.before.linkCount) names, "
                    + "and would stay as it is under the others. Remove them first.")
        }
        guard FileLock.tryExclusive(begun.source.descriptor.rawValue) != .refused else {
            throw ProtectionError(
                .busy, "Could not \(operation) \(path.displayText): it is in use. Try again later.")
        }
        return begun
    }

    private init(
        _ path: FilePath, _ name: FileName, in place: consuming Descriptor,
        source: consuming RegularFile, _ before: FileStatus, target: NewFile
    ) {
        self.path = path
        self.name = name
        self.place = place
        self.source = source
        self.before = before
        self.target = target
    }

    private static func open(_ path: FilePath, _ name: FileName) throws(Errno) -> FileReplacement {
        let parent = path.removingLastComponent()
        let place = try DirectoryCreation.existing(parent.isEmpty ? FilePath(".") : parent)
        let source = try RegularFile(name, at: place.rawValue, writing: false)
        let before = try source.status()
        let target = try NewFile(in: FilePlace(try place.duplicate()), permissions: 0o600)
        return FileReplacement(path, name, in: place, source: source, before, target: target)
    }

    private static func open(
        _ operation: String, _ path: FilePath, _ name: FileName
    ) throws(ProtectionError) -> FileReplacement {
        do throws(Errno) {
            return try open(path, name)
        } catch .invalidArgument, .tooManySymbolicLinkLevels {
            throw ProtectionError(
                .unsupported,
                "Could not \(operation) \(path.displayText): only regular files can be. Name the file "
                    + "that it leads to.")
        } catch {
            throw ProtectionError(operation, path, error)
        }
    }

    /// Where the new file is, until it has the name.
    var targetPath: FilePath { path.removingLastComponent().appending(target.temporaryName) }

    /// Reads the old file in pieces.
    func readSource(_ size: Int = 1 << 20, _ body: (Data) throws -> Void) throws {
        var offset: UInt64 = 0
        while true {
            let piece = try source.read(size, at: offset)
            if piece.isEmpty { return }
            try body(Data(piece))
            offset += UInt64(piece.count)
        }
    }

    package func write(_ piece: Data) throws {
        let result: Result<Void, Errno> = unsafe piece.withUnsafeBytes { bytes in
            do throws(Errno) {
                return .success(unsafe try target.write(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Gives the new file all that belongs to the name, and makes sure of it.
    package func complete() throws(Errno) {
        try target.takeMetadata(of: source.descriptor.rawValue)
        try target.synchronize()
    }

    /// Gives the new file the name, if nothing has happened to the old one meanwhile.
    package func publish() throws {
        let now = try source.status()
        let named = try name.withEntryName { (name) throws(Errno) in
            try NativeCalls.make().status(of: name, at: place.rawValue)
        }
        guard now.isSameContent(as: before), named.isSameContent(as: before) else {
            throw ProtectionError(
                .changed,
                "\(path.displayText) was changed meanwhile, and stays as it is. Try again.")
        }
        try target.publish(as: target.place.entry(name.bytes))
        try target.synchronizeDirectory()
    }
}

extension FileStatus {
    fileprivate func isSameContent(as other: FileStatus) -> Bool {
        identity == other.identity && logicalSize == other.logicalSize
            && modified == other.modified && changed == other.changed
            && linkCount == other.linkCount
    }
}
#endif
