//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open directory in which the library keeps files of its own.
///
/// All names are single components below the directory; links are never followed. Calls block.
package final class StateDirectory: Sendable {
    package let path: FilePath
    let descriptor: Descriptor

    /// Opens an existing directory.
    package init(opening path: FilePath) throws(Errno) {
        self.path = path
        descriptor = try DirectoryCreation.existing(path)
    }

    /// Opens a directory that is open already, once more and for itself.
    ///
    /// - Parameter path: where it lies, for messages.
    package init(opening other: Int32, path: FilePath) throws(Errno) {
        self.path = path
        descriptor = Descriptor(
            owning: try retrying {
                unsafe hr_openat(other, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
            })
    }

    /// Opens a directory; makes it, and what is missing above it, with mode 0700.
    package init(creating path: FilePath) throws(Errno) {
        self.path = path
        descriptor = try DirectoryCreation.open(path)
    }

    /// Which file a name stands for at this moment.
    package func identity(of name: String) throws(Errno) -> FileIdentity {
        try status(of: name).identity
    }

    /// What is known of an entry; a link is not followed.
    package func status(of name: String) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying {
            unsafe fstatat(descriptor.rawValue, name, &status, AT_SYMLINK_NOFOLLOW)
        }
        return FileStatus(status)
    }

    /// Whether there is an entry of that name; where that cannot be told, there may be.
    package func contains(_ name: String) -> Bool {
        do throws(Errno) {
            _ = try identity(of: name)
            return true
        } catch {
            return error != .noSuchFileOrDirectory && error != .notDirectory
                && error != .staleNFSFileHandle
        }
    }

    package func status() throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor.rawValue, &status) }
        return FileStatus(status)
    }

    /// What the volume has that the directory is on.
    package func volumeFigures() throws(Errno) -> VolumeFigures {
        try VolumeFigures(of: descriptor.rawValue)
    }

    /// The names of all entries, as far as they are UTF-8.
    package func names() throws(Errno) -> [String] {
        let opened = try retrying {
            unsafe hr_openat(descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard let stream = unsafe fdopendir(opened) else {
            let error = Errno.current
            _ = close(opened)
            throw error
        }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while true {
            // The end and an error look the same otherwise.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw Errno.current }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // NUL-terminated, whatever its declared length.
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
    }

    /// Renames an entry; what stood at the new name is replaced in one step.
    package func rename(_ name: String, to newName: String) throws(Errno) {
        let directory = descriptor.rawValue
        _ = try retrying { unsafe renameat(directory, name, directory, newName) }
    }

    /// Gives a file a second name.
    package func link(_ name: String, as newName: String) throws(Errno) {
        let directory = descriptor.rawValue
        _ = try retrying { unsafe linkat(directory, name, directory, newName, 0) }
    }

    /// Removes a file's name.
    package func remove(_ name: String) throws(Errno) {
        _ = try retrying { unsafe unlinkat(descriptor.rawValue, name, 0) }
    }

    /// Returns when the directory's entries are on disk.
    package func synchronize() throws(Errno) {
        do {
            _ = try retrying { fsync(descriptor.rawValue) }
        } catch .invalidArgument {
            // Some file systems (FUSE, network) have nothing to sync in a directory.
        }
    }

    /// Takes the exclusive lock of the directory itself, for making files in it.
    ///
    /// - Throws: `EAGAIN` if somebody else holds it for longer than `limit`.
    package func lock(limit: Duration) throws(Errno) {
        try StateLock.take(descriptor.rawValue, .exclusive, limit: limit)
    }

    package func unlock() { StateLock.release(descriptor.rawValue) }
}
