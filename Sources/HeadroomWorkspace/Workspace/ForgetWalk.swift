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

/// Finds what Headroom has left on files and directories: its attribute, its tags.
final class ForgetWalk: Sendable {
    private let calls: any FileSystemCalls & AttributeCalls
    /// By the tag of the walk.
    private let directories = Mutex<[FilePath]>([])
    private let found = Mutex<[FilePath]>([])

    /// What belongs to others is passed by, also by root.
    private let ownOnly: Bool

    init(_ calls: any FileSystemCalls & AttributeCalls, ownOnly: Bool) {
        self.calls = calls
        self.ownOnly = ownOnly
    }

    /// - Returns: what bears something, and what could not be looked at.
    func run(
        _ root: FilePath, _ progress: ScanProgress
    ) throws(HeadroomError) -> (found: [FilePath], failures: [String]) {
        do throws(Errno) {
            let descriptor = try Descriptor.openDirectory(root)
            let result = try Walk.run(
                root: descriptor, path: root, options: WalkOptions(), progress: progress.walk
            ) { Sink(self, root) }
            guard result.isComplete else {
                return ([], ["Interrupted: what is in \(root.displayText) was not forgotten."])
            }
            let failures = result.failures.map {
                "\($0.path.displayText) could not be read: \($0.error)."
            }
            return (found.withLock { $0 }, failures)
        } catch {
            throw HeadroomError("look at", root, error)
        }
    }

    private final class Sink: WalkSink {
        private let walk: ForgetWalk
        private let root: FilePath

        init(_ walk: ForgetWalk, _ root: FilePath) {
            self.walk = walk
            self.root = root
        }

        func enter(_ directory: borrowing WalkDirectory) -> WalkDecision {
            let path =
                directory.parentID == nil
                ? root : walk.path(directory.parentTag).appending(directory.name.owned)
            if directory.descriptor >= 0, walk.isOurs(directory.status) {
                let attribute = MarkAttribute.read(directory.descriptor, walk.calls)
                let tag = try? CacheDirectoryTag.read(in: directory.descriptor)
                if attribute != .none || tag == .ownTag { walk.add(path) }
            }
            return WalkDecision(tag: walk.keep(path))
        }

        func take(_ entries: UnsafeBufferPointer<WalkEntry>, of place: WalkPlace) {
            for index in entries.indices {
                let entry = unsafe entries[index]
                // A flag in the directory would spare this, and miss what was moved here.
                guard entry.status.type == .regular, walk.isOurs(entry.status),
                    MarkAttribute.read(
                        entry.name, type: entry.status.type, at: place.descriptor, walk.calls)
                        != .none
                else { continue }
                walk.add(walk.path(place.tag).appending(entry.name.owned))
            }
        }

        func fail(_ directory: WalkPlace, _ error: Errno) {}
        func omit(_ name: EntryName, in place: WalkPlace, because omission: WalkOmission) {}
    }

    /// Marks of other users are theirs; root may name them.
    private func isOurs(_ status: FileStatus) -> Bool {
        status.owner == User.effective || User.isRoot && !ownOnly
    }

    private func keep(_ path: FilePath) -> UInt64 {
        directories.withLock {
            $0.append(path)
            return UInt64($0.count - 1)
        }
    }

    private func path(_ tag: UInt64) -> FilePath {
        directories.withLock { $0.indices.contains(Int(tag)) ? $0[Int(tag)] : FilePath() }
    }

    private func add(_ path: FilePath) { found.withLock { $0.append(path) } }
}
