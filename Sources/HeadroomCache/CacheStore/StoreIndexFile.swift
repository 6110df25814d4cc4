//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// The index of a store that is not open in this process.
package enum StoreIndexFile {
    /// Removes the file of a segment, with all that is in it, on a volume with no room to tell anybody:
    /// whoever looks for it finds nothing there, as after any loss of a file.
    ///
    /// - Returns: what it occupied; 0 if there is none of which all may go.
    static func removeSegment(
        _ demand: StoreDemand, in directory: StateDirectory, now: Timestamp
    ) -> Int64 {
        // Nothing can be said of what cannot be read.
        guard let identity = try? StoreIdentity.read(in: directory),
            let index = try? readIndex(in: directory, whole: true),
            let file = try? SharedFile.open(StoreNames.identity, in: directory)
        else { return 0 }
        var members: [UInt32: [StoreEntry]] = [:]
        var place = 0
        for entry in index.entries(from: &place, count: .max) where !entry.isFile {
            members[entry.segment, default: []].append(entry)
        }
        let candidates = members.filter { number, entries in
            guard let segment = index.segments[number], segment.isAtRest,
                segment.liveCount == entries.count
            else { return false }
            let now = StoreTick(now, since: identity.epoch)
            return entries.allSatisfy { demand.allows($0, identity, now: now) }
        }
        let ordered = candidates.sorted { left, right in
            let order = (left.value[0].classCode, left.value.count)
            return order < (right.value[0].classCode, right.value.count)
        }
        for (number, entries) in ordered
        where !entries.contains(where: { StoreSession.isLocked($0.hash, file) }) {
            let name = StoreNames.segment(number)
            guard let size = try? directory.status(of: name).allocatedSize,
                (try? directory.remove(name)) != nil
            else { continue }
            return size.bytes
        }
        return 0
    }

    /// - Parameter isWhole: nothing is returned if a segment may have more in it than the log names.
    package static func readIndex(
        in directory: StateDirectory, whole isWhole: Bool = false
    ) throws(Errno) -> CacheIndex {
        var index = CacheIndex(policy: .costAware)
        var log = try CheckedLog(
            StoreNames.log, in: directory, kind: StoreCore.logKind, access: .reading)
        try log.update(&index)
        if isWhole, log.isIncomplete { throw .ioError }
        return index
    }
}

extension EvictionOrder {
    /// The entries in the order in which they go.
    package func sorted(_ entries: [StoreEntry]) -> [StoreEntry] {
        var keys = entries.enumerated().map { (key: key($1), index: $0) }
        keys.sort { ($1.key, entries[$0.index].hash) < ($0.key, entries[$1.index].hash) }
        return keys.map { entries[$0.index] }
    }
}

extension StoreEntry {
    /// What is free when it is gone and its segment is moved together.
    package var freedBytes: Int64 { isFile ? fileAllocated : Int64(recordSize) }
}
