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
        do throws(Errno) {
            guard let name = try store.read(path), let level = ProtectionLevel(systemName: name)
            else { return .unknown }
            return .level(level)
        } catch {
            throw Self.error(error, "read the protection of", path)
        }
    }

    /// - Throws: ``StorageError`` `refused` where the level is not known or not kept; `notPermitted` while
    ///   the device is locked.
    package func set(_ level: ProtectionLevel, of path: FilePath) throws(StorageError) {
        guard store.known.contains(level) else {
            throw StorageError(
                .refused,
                "\(path.displayText) was not protected: this system has no level \(level.name). "
                    + "macOS lacks none and completeWhenUserInactive.")
        }
        do throws(Errno) {
            try store.write(level.systemName, to: path)
        } catch {
            throw Self.error(error, "protect", path)
        }
        let result = try self.level(of: path)
        guard result != .level(level) else { return }
        throw StorageError(
            .refused,
            "\(path.displayText) is not protected as \(level.name): "
                + (result == .unknown
                    ? "its volume protects no files, as in the simulator or on a disk of a Mac "
                        + "without Apple silicon."
                    : "the system has given it another level."))
    }

    private static func error(_ error: Errno, _ task: String, _ path: FilePath) -> StorageError {
        let start = "Could not \(task) \(path.displayText): "
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
