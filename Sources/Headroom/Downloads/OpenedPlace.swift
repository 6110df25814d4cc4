//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// The directories of a download, open, and its turn at the unfinished file.
package final class OpenedPlace: Sendable {
    package let place: DownloadPlace
    private let parent: Descriptor
    private let partials: PartialDirectory
    /// What somebody else was seen to download.
    private let awaited = Mutex<ResumableFile?>(nil)

    init(_ place: DownloadPlace, _ parent: consuming Descriptor, _ partials: PartialDirectory) {
        self.place = place
        self.parent = parent
        self.partials = partials
    }

    /// Whose turn it is.
    package enum Turn: Sendable {
        case ours(PartialDownload)
        /// Another call, or process, is at it, and has come this far.
        case others(ByteCount)
        /// Another call, or process, has just finished it: it is in its place.
        case done(ByteCount)
    }

    /// Asks for the turn; asked again until it is ours or done.
    package func turn() throws(StorageError) -> Turn {
        try place.core.makingRoom(
            for: place.content, place.intent, to: "download \(place.shown)"
        ) { () throws(StorageError) in
            do throws(Errno) {
                return try attempt()
            } catch {
                throw place.failure(error)
            }
        }
    }

    private func attempt() throws(Errno) -> Turn {
        while true {
            let waited = awaited.withLock { $0 }
            let file = if let waited { waited } else { try open() }
            let status = try file.status()
            guard file.tryLock() else {
                awaited.withLock { $0 = file }
                return .others(status.logicalSize)
            }
            awaited.withLock { $0 = nil }
            // Only now that it is locked it cannot be moved any more.
            if try partials.identity(of: place.partialName) == status.identity {
                return .ours(try PartialDownload(file, in: partials, place.core.calls))
            }
            // Whoever had it has finished, or given up and removed it.
            // mutation: r34c-1 (4 lines)
            if waited != nil, let present = try presentStatus(), present.identity == status.identity
            {
                return .done(present.logicalSize)
            }
        }
    }

    private func open() throws(Errno) -> ResumableFile {
        try ResumableFile(place.partialName, in: partials.descriptor.rawValue, makes: true)
    }

    private func presentStatus() throws(Errno) -> FileStatus? {
        try place.name.last.withEntryName { (entry) throws(Errno) -> FileStatus? in
            do throws(Errno) {
                return try place.core.calls.status(of: entry, at: parent.rawValue)
            } catch .noSuchFileOrDirectory {
                return nil
            }
        }
    }

    // MARK: - The end

    /// Puts the whole download into its place, as what it is to be there.
    ///
    /// The mark is on the file before it has its name, and in the ledger after: in between it is at
    /// its place as what it is.
    package func publish(_ partial: PartialDownload) throws(Errno) {
        let core = place.core
        let old = try presentStatus()
        if old?.type == .directory { throw .isDirectory }
        let replaced = old?.type == .regular ? old : nil
        // What replaces a file keeps what a person has said of it, but for its class.
        var mark = Mark.none
        if replaced != nil { mark = (try? core.workspace.marks.mark(of: place.path)) ?? .none }
        switch place.intent {
        case .optional:
            break
        case .requested:
            mark.purgeClass = .lastResort
            mark.isExcludedFromBackup = true
        case .essential:
            // mutation: r34a-1
            mark.purgeClass = nil
            mark.isExcludedFromBackup = true
            if !isEssentialPlace { mark.isPinned = true }
        }
        try partial.publish(
            as: place.name.last, in: parent.rawValue, mark: mark,
            permissions: replaced?.permissions)
        guard !mark.isEmpty else { return }
        // The attribute holds; without the record a scan finds it a little later.
        _ = try? core.workspace.marks.update(place.path) { $0 = mark }
    }

    /// Whether a file without a mark is essential there: not if a person has marked the directory,
    /// or it lies in an area of its own. Then a pin is what keeps it.
    private var isEssentialPlace: Bool {
        let workspace = place.core.workspace
        let area = AreaMap(workspace.scope().areas).area(for: place.path)
        guard area?.purgeClass == .essential else { return false }
        let around = try? workspace.effectiveMark(of: place.path.removingLastComponent())
        return around.map { $0.purgeClass == nil } ?? false
    }

    /// The SHA-256 of the finished file.
    package func digest() throws(StorageError) -> SHA256Digest {
        do throws(Errno) {
            let file = try ResumableFile(place.name.last, in: parent.rawValue, makes: false)
            return try file.digest(of: try file.status().logicalSize.bytes)
        } catch {
            throw place.failure(error)
        }
    }
}
