//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import Headroom
public import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

/// How the system protects a file, as far as it says.
public enum SystemProtection: Hashable, Sendable {
    case level(ProtectionLevel)
    /// It does not say: the volume protects no files, as in the simulator, or the level is a new one. That is
    /// not the same as no protection.
    case unknown
}

/// The system's protection of files, as far as setting and reading it goes.
package protocol ProtectionStoring: Sendable {
    /// The levels that this system knows.
    var known: Set<ProtectionLevel> { get }

    /// The system's name of a file's level; nil where it does not say.
    func read(_ path: FilePath) throws(Errno) -> String?

    func write(_ name: String, to path: FilePath) throws(Errno)
}

/// Sets and reads how files are protected. What was set is read back: a system that accepts a level and does
/// nothing about it is found out.
package struct FileProtection: Sendable {
    private let store: any ProtectionStoring

    package init(_ store: any ProtectionStoring) {
        self.store = store
    }

    package func level(of path: FilePath) throws(StorageError) -> SystemProtection {
        try level(of: path, called: path.displayText)
    }

    private func level(
        of path: FilePath, called name: String
    ) throws(StorageError) -> SystemProtection {
        do throws(Errno) {
            guard let found = try store.read(path), let level = ProtectionLevel(systemName: found)
            else { return .unknown }
            return .level(level)
        } catch {
            throw Self.error(error, "read the protection of", name)
        }
    }

    /// - Throws: ``StorageError`` `refused` where the level is not known or not kept; `notPermitted` while
    ///   the device is locked.
    package func set(_ level: ProtectionLevel, of path: FilePath) throws(StorageError) {
        try set(level, of: path, called: path.displayText)
    }

    /// What gives a file that is being saved its level: before its first byte, and so before it has its name.
    ///
    /// - Parameter name: what errors call it; until it is complete it has another.
    package func preparation(
        _ level: ProtectionLevel, named name: String
    ) -> SavePreparation {
        { file throws(StorageError) in
            // Only now it is known to be a name.
            let name = FilePath(name).displayText
            guard let path = ResolvedDirectory.path(of: file) else {
                throw StorageError(
                    .io, "Could not protect \(name): the system does not tell where it is.")
            }
            try set(level, of: path, called: name)
        }
    }

    private func set(
        _ level: ProtectionLevel, of path: FilePath, called name: String
    ) throws(StorageError) {
        guard store.known.contains(level) else {
            throw StorageError(
                .refused,
                "\(name) was not protected: this system has no level \(level.name). "
                    + "macOS lacks none and completeWhenUserInactive.")
        }
        do throws(Errno) {
            try store.write(level.systemName, to: path)
        } catch {
            throw Self.error(error, "protect", name)
        }
        let result = try self.level(of: path, called: name)
        // mutation: r35a-1
        guard result != .level(level) else { return }
        throw StorageError(
            .refused,
            "\(name) is not protected as \(level.name): "
                + (result == .unknown
                    ? "its volume protects no files, as in the simulator or on a disk of a Mac "
                        + "without Apple silicon."
                    : "the system has given it another level."))
    }

    private static func error(_ error: Errno, _ task: String, _ name: String) -> StorageError {
        let start = "Could not \(task) \(name): "
        switch error {
        case .noSuchFileOrDirectory, .notDirectory:
            return StorageError(.notFound, start + "it is not there.", cause: error)
        case .notPermitted, .permissionDenied:
            return StorageError(
                .notPermitted,
                start + "\(error). Files that are protected can be changed while the device is "
                    + "unlocked.", cause: error)
        case .notSupported:
            return StorageError(.refused, start + "this system protects no files.", cause: error)
        default:
            return StorageError(.io, start + "\(error).", cause: error)
        }
    }
}
