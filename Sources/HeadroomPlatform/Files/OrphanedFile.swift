//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a process that died has left under a name that it held with an exclusive or shared flock for
/// as long as it lived: a file that was being saved, or a temporary one.
package enum OrphanedFile {
    // mutation: r3f-1
    /// How long a file is left alone: it is locked just after it is made.
    private static let patience: Duration = .seconds(60)

    /// Removes a file if it is an orphan: regular, locked by nobody, and unchanged for a minute.
    ///
    /// - Parameter name: one that only files of ours have.
    /// - Returns: what it took up; nil if it is none, or could not be removed.
    package static func remove(
        _ name: EntryName, at directory: Int32, now: Timestamp, _ calls: some FileSystemCalls
    ) -> ByteCount? {
        guard let status = try? calls.status(of: name, at: directory), status.type == .regular,
            status.changed.advanced(by: patience) < now,
            let opened = try? calls.openFile(name, at: directory, writing: false)
        else { return nil }
        let file = Descriptor(owning: opened)
        // Held until it is gone: nobody can begin to use it meanwhile.
        // mutation: r3f-2
        guard FileLock.tryExclusive(file.rawValue) == .granted,
            let now = try? calls.status(of: file.rawValue), now.identity == status.identity,
            (try? calls.remove(name, at: directory, isDirectory: false)) != nil
        else { return nil }
        return status.allocatedSize
    }
}
