//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A file that is being downloaded, locked by whoever downloads it.
///
/// Blocks. One thread at a time writes; the others may ask for ``length``.
package final class PartialDownload: Sendable {
    private struct Progress {
        var length: Int64
        var state: DownloadState?
    }

    private let file: ResumableFile
    private let directory: PartialDirectory
    private let calls: any FileSystemCalls & AttributeCalls
    private let progress: Mutex<Progress>

    /// How much may have to be fetched once more after a power cut.
    private static let syncInterval: Int64 = 16 << 20

    /// - Parameter file: locked, and in its place.
    init(
        _ file: ResumableFile, in directory: PartialDirectory,
        _ calls: any FileSystemCalls & AttributeCalls
    ) throws(Errno) {
        self.file = file
        self.directory = directory
        self.calls = calls
        let size = try file.status().logicalSize.bytes
        // What cannot be read is not relied upon.
        let value = try? calls.attribute(DownloadState.attribute, of: file.descriptor.rawValue)
        let state = value.flatMap { DownloadState(decoding: $0) }
        let trusted = state?.trusted(of: size) ?? 0
        if trusted < size { try file.truncate(to: trusted) }
        progress = Mutex(Progress(length: trusted, state: state))
    }

    /// The bytes that are there.
    package var length: Int64 { progress.withLock { $0.length } }

    /// What is known of the resource that they are of.
    package var state: DownloadState? { progress.withLock { $0.state } }

    /// Starts anew, with what is now known of the resource.
    ///
    /// The file is emptied first and the new state is on disk before anything is written: at no
    /// moment does a version stand on bytes of another one, not after a power cut either.
    ///
    /// - Parameter state: nil: it cannot be resumed.
    package func restart(_ state: DownloadState?) throws(Errno) {
        try file.truncate(to: 0)
        progress.withLock { $0 = Progress(length: 0, state: nil) }
        guard let state else { return removeState() }
        do {
            try calls.setAttribute(
                DownloadState.attribute, to: state.encoded, of: file.descriptor.rawValue)
            try file.synchronize()
        } catch .noSpace, .diskQuotaExceeded, .notSupported, .permissionDenied, .outOfRange {
            // It still can be resumed for as long as we know.
            removeState()
        }
        progress.withLock { $0.state = state }
    }

    /// Gives up what is behind a length.
    package func rewind(to length: Int64) throws(Errno) {
        guard length < self.length else { return }
        try file.truncate(to: length)
        progress.withLock { $0.length = length }
    }

    /// Appends bytes.
    ///
    /// - Throws: `ENOSPC`, `EDQUOT`, with what fitted kept.
    package func append(_ bytes: RawSpan) throws(Errno) {
        let offset = length
        do {
            try file.write(bytes, at: offset)
        } catch {
            // Some of it may have been written.
            if let size = try? file.status().logicalSize.bytes {
                progress.withLock {
                    $0.length = max(offset, min(size, offset + Int64(bytes.byteCount)))
                }
            }
            throw error
        }
        let (length, state) = progress.withLock { progress in
            progress.length += Int64(bytes.byteCount)
            return (progress.length, progress.state)
        }
        if let state, length - state.synced >= Self.syncInterval { try sync(state, length) }
    }

    private func sync(_ state: DownloadState, _ length: Int64) throws(Errno) {
        try file.synchronize()
        var state = state
        state.synced = length
        progress.withLock { $0.state = state }
        // If it cannot be noted, more is fetched again.
        try? calls.setAttribute(
            DownloadState.attribute, to: state.encoded, of: file.descriptor.rawValue)
    }

    /// The SHA-256 of what is there, read from the disk.
    package func digest() throws(Errno) -> SHA256Digest { try file.digest(of: length) }

    private func removeState() {
        // Without attributes there is none to remove.
        _ = try? calls.removeAttribute(DownloadState.attribute, of: file.descriptor.rawValue)
    }

    // MARK: - The end

    /// Gives the file its name, with content and mark on disk before.
    ///
    /// - Parameters:
    ///   - mark: what its own attribute is to say.
    ///   - permissions: of the file that it replaces.
    func publish(
        as name: FileName, in destination: Int32, mark: Mark, permissions: UInt16?
    ) throws(Errno) {
        if let permissions { try file.setPermissions(permissions) }
        if !mark.isEmpty {
            do {
                try calls.setAttribute(
                    MarkAttribute.name, to: MarkAttribute(mark: mark).encoded,
                    of: file.descriptor.rawValue)
            } catch .notSupported {
                // Then the ledger alone has it.
            }
        }
        if mark.isExcludedFromBackup == true {
            _ = BackupFlags(calls).set(on: file.descriptor.rawValue, isDirectory: false)
        }
        try file.synchronize()
        try file.publish(from: directory.descriptor.rawValue, to: name, in: destination)
        removeState()
        // A lock on a file that others know would pass for a lease.
        file.unlock()
    }

    /// Ends without success: the file stays if it can be gone on with, else it goes.
    package func abandon() {
        let (length, state) = progress.withLock { ($0.length, $0.state) }
        let value = try? calls.attribute(DownloadState.attribute, of: file.descriptor.rawValue)
        if state == nil || length == 0 || value == nil { discard() } else { file.unlock() }
    }

    /// Removes the file.
    package func discard() {
        if file.isInPlace(directory.descriptor.rawValue) {
            file.name.withEntryName { entry in
                // If it cannot be removed it is swept up later.
                try? calls.remove(entry, at: directory.descriptor.rawValue, isDirectory: false)
            }
        }
        file.unlock()
    }
}
