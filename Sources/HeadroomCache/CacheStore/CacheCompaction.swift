//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Makes a cache store as small as it can be without losing a value.
public enum CacheCompaction {
    /// What came of it.
    public struct Outcome: Hashable, Sendable {
        public var before: Int64
        public var after: Int64
        /// Records that were moved.
        public var moved: Int
    }

    /// Moves together what is of use, and writes a new index file. Blocks.
    ///
    /// - Throws: `invalid` if there is no store, `notPermitted` to anybody but its owner: files of root's in it
    ///   would lock its owner out.
    public static func compact(_ path: FilePath) throws(HeadroomError) -> Outcome {
        _ = try CacheInspection(of: path)
        let directory: StateDirectory
        let owner: UInt32
        do throws(Errno) {
            directory = try StateDirectory(opening: path)
            owner = try directory.status().owner
        } catch {
            throw HeadroomError("compact the cache store", path, error)
        }
        guard owner == User.effective else {
            throw HeadroomError(
                .notPermitted,
                "\(path.displayText) belongs to user \(owner). Compact it as that user: files of "
                    + "another's in it would lock the app out.")
        }
        // With the settings of those who use it: segments of its size, and nothing said of another limit.
        let settings = try? StoreIndexFile.readIndex(in: directory).settings
        let store = try StoreCore(at: path, CacheOptions(visiting: settings))
        defer { store.end() }
        store.finishSweeping()
        return try store.compactAll()
    }
}

extension StoreCore {
    /// Moves together what is of use in all segments that have a gap worth it.
    func compactAll() throws(HeadroomError) -> CacheCompaction.Outcome {
        let before = statistics
        do throws(Errno) {
            try maintenance.withLock { (_) throws(Errno) in
                sealOwnSegments()
                try removeDeadSegments()
                while let number = state.withLock({ $0.index.mostlyDeadSegment }) {
                    do throws(Errno) {
                        try moveRecords(from: number)
                    } catch .storeIsFull {
                        // Somebody has taken what is kept free for that.
                        break
                    }
                }
                sealOwnSegments()
            }
            try flush(compacting: true)
        } catch {
            throw HeadroomError("compact the cache store", path, error)
        }
        let after = statistics
        return CacheCompaction.Outcome(
            before: before.allocated, after: after.allocated, moved: after.moved - before.moved)
    }
}
