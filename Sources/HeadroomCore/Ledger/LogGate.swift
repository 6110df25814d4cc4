//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What whoever makes, replaces or removes the file of a log holds meanwhile: two at once could take the other's
/// for their own.
package enum LogGate: Sendable {
    /// The lock of the directory itself (flock(2)).
    case directory
    /// A byte far behind the end of another file in it: for directories that others lock for reasons of their
    /// own, and for long. A lease on what lies directly in a directory, and a purge in it, hold its flock.
    case byte(UInt64, of: String)

    /// Enters, waiting at most `limit`.
    ///
    /// - Throws: `EAGAIN` if somebody else is in all the while.
    func enter(_ directory: StateDirectory, limit: Duration) throws(Errno) -> Passage {
        if case .byte(let byte, let name) = self {
            do throws(Errno) {
                let file = try RegularFile(name, in: directory, .writing)
                try StateLock.takeRange(
                    file.descriptor.rawValue, offset: byte, count: 1, limit: limit)
                return Passage(file)
            } catch {
                // Lost: whoever makes it anew holds the directory's.
                guard error == .noSuchFileOrDirectory else { throw error }
            }
        }
        try directory.lock(limit: limit)
        return Passage(of: directory)
    }

    /// Held until it is dropped.
    struct Passage: ~Copyable {
        private let directory: StateDirectory?
        /// The lock goes with the open file (fcntl(2), “Open file description locks”).
        private let file: RegularFile?

        fileprivate init(_ file: consuming RegularFile) {
            self.file = consume file
            directory = nil
        }

        fileprivate init(of directory: StateDirectory) {
            self.directory = directory
            file = nil
        }

        deinit { directory?.unlock() }
    }
}
