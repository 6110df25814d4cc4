//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Reads what cache stores hold, as the planner has to know it. Takes no part in them, and changes
/// nothing: somebody may have them open.
///
/// One survey reads each store once.
final class StoreSurvey {
    private var known: [FileIdentity: InventoryStore] = [:]

    /// A slice has a 64th of its class, and at least this: what a store gives back it gives back by
    /// whole segments.
    private static let leastSlice: Int64 = 1 << 20
    private static let sliceCount: Int64 = 64

    /// The inventory with the cache stores that are in it.
    ///
    /// What cannot be read as a store is left as the files that it is.
    ///
    /// - Complexity: O(directories), and O(values) with their sorting for each store.
    func complete(_ inventory: Inventory) -> Inventory {
        var stores: [InventoryStore] = []
        for (number, record) in inventory.directories.enumerated()
        where record.flags.contains(.looksLikeStore) && record.area != DirectoryRecord.noArea
            && !inventory.areas[Int(record.area)].isTrash
        {
            let number = UInt32(number)
            if var store = known[record.identity] {
                store.directory = number
                stores.append(store)
                continue
            }
            guard let store = Self.look(number, record, inventory) else { continue }
            known[record.identity] = store
            stores.append(store)
        }
        return stores.isEmpty ? inventory : inventory.with(InventoryStores(stores))
    }

    private static func look(
        _ number: UInt32, _ record: DirectoryRecord, _ inventory: Inventory
    ) -> InventoryStore? {
        // What cannot be read is no store that anything is known of.
        guard let directory = try? StateDirectory(opening: inventory.path(ofDirectory: number)),
            let status = try? directory.status(), status.identity == record.identity
        else { return nil }
        return try? look(directory, number, now: inventory.scanned)
    }

    /// - Returns: nil if it is no store, or what its index says is not of it; and for a directory in
    ///   which others may put what they like: what is there goes as files, each by its owner (S11).
    static func look(
        _ directory: StateDirectory, _ number: UInt32, now: Timestamp
    ) throws(Errno) -> InventoryStore? {
        let status = try directory.status()
        guard !status.isSharedByAll, directory.contains(StoreIdentity.fileName) else { return nil }
        // Nothing that another user has written is believed, or even read.
        guard try isOwn(status, directory) else {
            return InventoryStore(directory: number, allocated: 0, slices: [], isForeign: true)
        }
        guard let identity = try StoreIdentity.read(in: directory) else { return nil }
        let index = try readIndex(in: directory)
        guard index.fingerprint == identity.fingerprint else { return nil }
        let order = EvictionOrder(
            policy: index.settings?.policy ?? .costAware,
            now: StoreTick(now, since: identity.epoch), moment: index.model.now,
            waits: index.model.waits)
        var slices: [StoreSlice] = []
        for values in ordered(index, order) { slices += cut(values, order, identity) }
        var store = InventoryStore(
            directory: number, allocated: index.allocated, slices: slices)
        store.totals = index.totals
        return store
    }

    /// Whether the store is this user's, with what it is judged by.
    private static func isOwn(
        _ status: FileStatus, _ directory: StateDirectory
    ) throws(Errno) -> Bool {
        guard status.owner == User.effective else { return false }
        for name in [StoreIdentity.fileName, StoreCore.logName] where directory.contains(name) {
            guard try directory.status(of: name).owner == User.effective else { return false }
        }
        return true
    }

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
            let file = try? SharedFile.open(StoreIdentity.fileName, in: directory)
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
            let name = StoreCore.segmentName(number)
            guard let size = try? directory.status(of: name).allocatedSize,
                (try? directory.remove(name)) != nil
            else { continue }
            return size.bytes
        }
        return 0
    }

    /// - Parameter isWhole: nothing is returned if a segment may have more in it than the log names.
    static func readIndex(
        in directory: StateDirectory, whole isWhole: Bool = false
    ) throws(Errno) -> CacheIndex {
        var index = CacheIndex(policy: .costAware)
        var log = try CheckedLog(
            StoreCore.logName, in: directory, kind: StoreCore.logKind, access: .reading)
        try log.update(&index)
        if isWhole, log.isIncomplete { throw .ioError }
        return index
    }

    /// The entries of each class, in the order in which they go.
    private static func ordered(
        _ index: borrowing CacheIndex, _ order: EvictionOrder
    ) -> [[StoreEntry]] {
        var classes: [[StoreEntry]] = [[], [], []]
        var place = 0
        while true {
            let entries = index.entries(from: &place, count: 4096)
            if entries.isEmpty { break }
            for entry in entries { classes[entry.classCode].append(entry) }
        }
        return classes.map { order.sorted($0) }
    }

    private static func cut(
        _ values: [StoreEntry], _ order: EvictionOrder, _ identity: StoreIdentity
    ) -> [StoreSlice] {
        let whole = values.reduce(Int64(0)) { $0 + $1.freedBytes }
        let size = max(leastSlice, whole / sliceCount)
        var slices: [StoreSlice] = []
        var start = 0
        var bytes: Int64 = 0
        for (index, entry) in values.enumerated() {
            bytes += entry.freedBytes
            let isExpired = entry.expiry <= order.now
            let isLast =
                index + 1 == values.count
                || (values[index + 1].expiry <= order.now) != isExpired
            guard bytes >= size || isLast else { continue }
            slices.append(
                slice(
                    values[start...index], bytes, isExpired: isExpired, after: slices.last,
                    identity))
            (start, bytes) = (index + 1, 0)
        }
        return slices
    }

    private static func slice(
        _ values: ArraySlice<StoreEntry>, _ bytes: Int64, isExpired: Bool, after last: StoreSlice?,
        _ identity: StoreIdentity
    ) -> StoreSlice {
        func seconds(_ tick: StoreTick) -> UInt32 {
            UInt32(clampedSeconds: tick.time(since: identity.epoch))
        }
        var half = bytes / 2
        let byUse = values.sorted { $0.lastUse < $1.lastUse }
        let middle = byUse.first { entry in
            half -= entry.freedBytes
            return half <= 0
        }
        let latestUse = byUse.last.map { seconds($0.lastUse) } ?? 0
        let latestCreation = values.map(\.created).max().map(seconds) ?? 0
        // What goes before is not to come later because it was used later.
        let front = last?.isExpired == isExpired ? last : nil
        return StoreSlice(
            purgeClass: values.first?.purgeClass ?? .lastResort, isExpired: isExpired,
            values: values.count, bytes: bytes,
            used: max(middle.map { seconds($0.lastUse) } ?? 0, (front?.used ?? 0) &+ 1),
            latestUse: max(latestUse, front?.latestUse ?? 0),
            latestCreation: max(latestCreation, front?.latestCreation ?? 0))
    }
}

extension EvictionOrder {
    /// The entries in the order in which they go.
    func sorted(_ entries: [StoreEntry]) -> [StoreEntry] {
        var keys = entries.enumerated().map { (key: key($1), index: $0) }
        keys.sort { ($1.key, entries[$0.index].hash) < ($0.key, entries[$1.index].hash) }
        return keys.map { entries[$0.index] }
    }
}

extension StoreEntry {
    /// What is free when it is gone and its segment is moved together.
    var freedBytes: Int64 { isFile ? fileAllocated : Int64(recordSize) }
}

extension FileStatus {
    /// Whether any user may make entries in this directory, or it is made for several (sticky).
    fileprivate var isSharedByAll: Bool { permissions & 0o1002 != 0 }
}

extension StoreIdentity {
    /// Whether a scanned entry is the file that names a store, as far as name, type and size tell.
    @inline(__always)
    static func matches(_ name: EntryName, _ record: ItemRecord) -> Bool {
        guard name.count == 5, unsafe name.base[0] == 0x73 else { return false }
        return record.type == .regular && record.logical == size
            && name.owned.bytes == Array(fileName.utf8)
    }
}
