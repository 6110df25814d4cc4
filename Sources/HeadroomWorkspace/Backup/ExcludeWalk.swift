//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import Synchronization
import SystemPackage

/// Walks directories for what backups leave out. What is left out whole is not entered.
final class ExcludeWalk: Sendable {
    private let reader: BackupExclusionReader
    /// What is backed up although what is around it is not: essential areas, marks that lift.
    private let lifted: [FilePath]
    /// By the tag of the walk.
    private let directories = Mutex<[DirectoryBackup]>([])
    private let found = Mutex<Found>(Found())

    struct Found {
        var entries: [ExcludeList.Entry] = []
        var notes: [Reason] = []
    }

    init(_ reader: BackupExclusionReader, lifted: [FilePath]) {
        self.reader = reader
        self.lifted = lifted
    }

    func run(_ root: FilePath, _ progress: ScanProgress) throws(HeadroomError) -> Found {
        do throws(Errno) {
            let descriptor = try Descriptor.openDirectory(root)
            let outer =
                root.depth == 0
                ? nil : try? reader.directory(root.removingLastComponent())
            let result = try Walk.run(
                root: descriptor, path: root, options: WalkOptions(), progress: progress.walk
            ) { Sink(self, root, outer) }
            var found = self.found.withLock { $0 }
            for failure in result.failures {
                found.notes.append(
                    Reason(
                        .unreadable,
                        "\(failure.path.displayText) could not be read (\(failure.error)): what in "
                            + "it needs no backup is not listed."))
            }
            return found
        } catch {
            throw HeadroomError("list what backups leave out of", root, error)
        }
    }

    // MARK: - What a worker does

    private final class Sink: WalkSink {
        private let walk: ExcludeWalk
        private let root: FilePath
        private let outer: DirectoryBackup?

        init(_ walk: ExcludeWalk, _ root: FilePath, _ outer: DirectoryBackup?) {
            self.walk = walk
            self.root = root
            self.outer = outer
        }

        func enter(_ directory: borrowing WalkDirectory) -> WalkDecision {
            let around = directory.parentID == nil ? outer : walk.directory(directory.parentTag)
            let path =
                directory.parentID == nil
                ? root : (around?.path ?? root).appending(directory.name.owned)
            let backup = walk.reader.directory(
                path, open: directory.descriptor, directory.status, in: around)
            let descends = !backup.exclusion.isExcluded || walk.holdsMore(backup)
            if !descends { walk.add(path, isDirectory: true, backup.exclusion) }
            return WalkDecision(tag: walk.keep(backup), descends: descends)
        }

        func take(_ entries: UnsafeBufferPointer<WalkEntry>, of place: WalkPlace) {
            guard let directory = walk.directory(place.tag) else { return }
            for index in entries.indices {
                let entry = unsafe entries[index]
                let exclusion = walk.reader.file(
                    entry.name, entry.status, at: place.descriptor, in: directory)
                guard exclusion.isExcluded else { continue }
                walk.add(
                    directory.path.appending(entry.name.owned), isDirectory: false, exclusion)
            }
        }

        func fail(_ directory: WalkPlace, _ error: Errno) {}

        func omit(_ name: EntryName, in place: WalkPlace, because omission: WalkOmission) {
            guard case .otherFileSystem = omission, let directory = walk.directory(place.tag) else {
                return
            }
            walk.addMount(directory.path.appending(name.owned), in: directory)
        }
    }

    private func keep(_ backup: DirectoryBackup) -> UInt64 {
        directories.withLock {
            $0.append(backup)
            return UInt64($0.count - 1)
        }
    }

    private func directory(_ tag: UInt64) -> DirectoryBackup? {
        directories.withLock { $0.indices.contains(Int(tag)) ? $0[Int(tag)] : nil }
    }

    private func add(_ path: FilePath, isDirectory: Bool, _ exclusion: BackupExclusion) {
        found.withLock {
            $0.entries.append(
                ExcludeList.Entry(path: path, isDirectory: isDirectory, exclusion: exclusion))
        }
    }

    /// What is mounted there is left out if its place is; else nobody has looked.
    private func addMount(_ path: FilePath, in directory: DirectoryBackup) {
        let exclusion = reader.unseen(path, in: directory).exclusion
        if exclusion.isExcluded { return add(path, isDirectory: true, exclusion) }
        found.withLock {
            $0.notes.append(
                Reason(
                    .mountPoint,
                    "\(path.displayText) is another volume and was not looked into. "
                        + "If it is backed up too, name it as well."))
        }
    }

    /// Whether something in a directory that is left out is backed up all the same.
    private func holdsMore(_ backup: DirectoryBackup) -> Bool {
        let dialects = backup.exclusion.dialects
        guard dialects.isEmpty || dialects == .mark else { return false }
        return lifted.contains { $0 != backup.path && $0.lies(in: backup.path) }
    }
}
