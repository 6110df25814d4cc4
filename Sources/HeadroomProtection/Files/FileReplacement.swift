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
/// stands whole at the name. It is read by one descriptor, so that what was checked is what was read.
package final class FileReplacement {
    let path: FilePath
    let source: RegularFile
    private let target: ReplacingFile
    private let name: FileName
    private let before: FileStatus

    /// - Parameters:
    ///   - operation: as it stands in the sentence, `protect`.
    ///   - isNamed: as where no file can be made without a name; for tests.
    /// - Throws: ``ProtectionError`` `unsupported` for what has other names or is no regular file,
    ///   `busy` if it is leased.
    package static func begin(
        _ operation: String, _ path: FilePath, isNamed: Bool = false
    ) throws(ProtectionError) -> FileReplacement {
        let begun = try open(operation, path, try path.fileName(), isNamed)
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
        _ path: FilePath, _ name: FileName, source: consuming RegularFile, _ before: FileStatus,
        target: ReplacingFile
    ) {
        self.path = path
        self.name = name
        self.source = source
        self.before = before
        self.target = target
    }

    // A child that was just forked would keep the lock until it calls exec.
    deinit { FileLock.unlock(source.descriptor.rawValue) }

    private static func open(
        _ path: FilePath, _ name: FileName, _ isNamed: Bool
    ) throws(Errno) -> FileReplacement {
        let parent = path.removingLastComponent()
        let place = try DirectoryCreation.existing(parent.isEmpty ? FilePath(".") : parent)
        let source = try RegularFile(name, at: place.rawValue, writing: false)
        let before = try source.status()
        let target = try ReplacingFile(in: place, isNamed: isNamed)
        return FileReplacement(path, name, source: source, before, target: target)
    }

    private static func open(
        _ operation: String, _ path: FilePath, _ name: FileName, _ isNamed: Bool
    ) throws(ProtectionError) -> FileReplacement {
        do throws(Errno) {
            return try open(path, name, isNamed)
        } catch .invalidArgument, .tooManySymbolicLinkLevels {
            throw ProtectionError(
                .unsupported,
                "Could not \(operation) \(path.displayText): only regular files can be. Name the file "
                    + "that it leads to.")
        } catch {
            throw ProtectionError(operation, path, error)
        }
    }

    /// The new file, to be read back.
    func written() throws(Errno) -> RegularFile {
        RegularFile(owning: try target.descriptor.duplicate())
    }

    /// The old file once more, by the same open file.
    func sourceAgain() throws(Errno) -> RegularFile {
        RegularFile(owning: try source.descriptor.duplicate())
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
        try target.complete(like: source.descriptor.rawValue)
    }

    /// Gives the new file the name, if nothing has happened to the old one meanwhile.
    ///
    /// - Parameter atStep: called before each step, with its number.
    package func publish(atStep: (Int) -> Void = { _ in }) throws {
        // By its ctime too, which changes with anything that is done to it.
        let now = try source.status()
        guard now.identity == before.identity, now.logicalSize == before.logicalSize,
            now.modified == before.modified, now.changed == before.changed,
            now.linkCount == before.linkCount
        else { throw changed }
        switch try target.replace(name, before, atStep: atStep) {
        case .replaced: try target.synchronizeDirectory()
        case .changed: throw changed
        case .kept(let side):
            throw ProtectionError(
                .changed,
                "\(path.displayText) was replaced by others again and again meanwhile. One of their "
                    + "files is now \(side.text), beside it: see which of the two is wanted.")
        }
        atStep(5)
    }

    private var changed: ProtectionError {
        ProtectionError(
            .changed, "\(path.displayText) was changed meanwhile, and stays as it is. Try again.")
    }

    /// Leaves nothing of the new file.
    func discard() { target.discard() }
}
#endif
