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

/// The few calls that take a whole path, and follow its links, as a person means it: nothing is
/// ever deleted by them.
package enum PathCalls {
    /// Opens a path; links of directories on the way are followed.
    package static func open(_ path: FilePath, _ flags: Int32) throws(Errno) -> Descriptor {
        while true {
            let result = unsafe path.withPlatformString { unsafe hr_openat(AT_FDCWD, $0, flags, 0) }
            if result >= 0 { return Descriptor(owning: result) }
            let error = Errno.current
            if error != .interrupted { throw error }
        }
    }

    /// Opens a directory for reading.
    package static func openDirectory(_ path: FilePath) throws(Errno) -> Descriptor {
        try open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// The status of what a path leads to.
    package static func status(_ path: FilePath) throws(Errno) -> FileStatus {
        var status = stat()
        if unsafe path.withPlatformString({ unsafe stat($0, &status) }) != 0 { throw .current }
        return FileStatus(status)
    }

    /// The status of what a path names, be it a link; links on the way are followed.
    package static func entryStatus(_ path: FilePath) throws(Errno) -> FileStatus {
        var status = stat()
        if unsafe path.withPlatformString({ unsafe lstat($0, &status) }) != 0 { throw .current }
        return FileStatus(status)
    }

    /// The path, or the nearest directory around it that there is; nil if that cannot be told.
    package static func nearestExisting(_ path: FilePath) -> FilePath? {
        var current = path.isEmpty ? "." : path
        while true {
            do throws(Errno) {
                _ = try status(current)
                return current
            } catch {
                guard error == .noSuchFileOrDirectory || error == .notDirectory,
                    current != "/", current != "."
                else { return nil }
                let parent = current.removingLastComponent()
                current = parent.isEmpty ? "." : parent
            }
        }
    }

    /// A path without links, `.` and `..`.
    package static func resolved(_ path: FilePath) throws(Errno) -> FilePath {
        guard let real = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else {
            throw .current
        }
        // realpath(3) has allocated it; it is copied before it is freed.
        defer { unsafe free(real) }
        return unsafe FilePath(platformString: real)
    }

    /// The working directory, as an absolute path without links.
    package static func workingDirectory() throws(Errno) -> FilePath {
        guard let path = unsafe getcwd(nil, 0) else { throw .current }
        defer { unsafe free(path) }
        return unsafe FilePath(platformString: path)
    }
}

extension Timestamp {
    /// The system's wall clock, for what is shown to people.
    package static func wallClock() -> Timestamp {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
