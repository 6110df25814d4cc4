//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// The directory of unfinished downloads: an area of class temporary, on the file system that the
/// finished ones go to.
///
/// A shared lock on it keeps purges from taking a file in it that is locked: see ``Lease``.
final class PartialDirectory: Sendable {
    /// Names that begin so are Headroom's own.
    static let name = ".headroom-downloads"
    /// What the names of unfinished downloads end with.
    static let suffix = Array(".part".utf8)
    /// So long an unfinished download is worth keeping.
    static let retention: Duration = .seconds(7 * 86400)

    let descriptor: Descriptor
    private let calls: any FileSystemCalls & AttributeCalls

    init(_ descriptor: consuming Descriptor, _ calls: any FileSystemCalls & AttributeCalls) {
        self.descriptor = descriptor
        self.calls = calls
        // While a purge works in it none is granted; the locks of the files do then.
        _ = FileLock.tryShared(self.descriptor.rawValue)
    }

    deinit { FileLock.unlock(descriptor.rawValue) }

    /// What stands at a name now; nil: nothing.
    func identity(of name: FileName) throws(Errno) -> FileIdentity? {
        try name.withEntryName { (entry) throws(Errno) -> FileIdentity? in
            do throws(Errno) {
                return try calls.status(of: entry, at: descriptor.rawValue).identity
            } catch .noSuchFileOrDirectory {
                return nil
            }
        }
    }

    /// Removes what nobody will go on with: what has no state, and what is older than the retention.
    func sweep(now: Timestamp) {
        // What cannot be listed stays: it is temporary, and goes with the next purge.
        guard let names = try? calls.names(in: descriptor.rawValue) else { return }
        for name in names where name.bytes.suffix(Self.suffix.count) == Self.suffix[...] {
            guard let status = try? status(of: name), status.type == .regular else { continue }
            let age = now.duration(since: max(status.changed, status.modified))
            // It is locked just after it is made.
            guard age > .seconds(60),
                let file = try? ResumableFile(name, in: descriptor.rawValue, makes: false),
                // Where there are no locks, nobody knows whether it is being written.
                FileLock.tryExclusive(file.descriptor.rawValue) == .granted,
                (try? identity(of: name)) == status.identity, file.isInPlace(descriptor.rawValue)
            else { continue }
            let value = try? calls.attribute(
                DownloadState.attribute, of: file.descriptor.rawValue)
            if value.flatMap({ DownloadState(decoding: $0) }) == nil || age > Self.retention {
                name.withEntryName { entry in
                    try? calls.remove(entry, at: descriptor.rawValue, isDirectory: false)
                }
            }
        }
    }

    private func status(of name: FileName) throws(Errno) -> FileStatus {
        try name.withEntryName { (entry) throws(Errno) in
            try calls.status(of: entry, at: descriptor.rawValue)
        }
    }
}
