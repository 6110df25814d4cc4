//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCache
import HeadroomCore
package import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Reads what cache stores hold, as the planner has to know it. Takes no part in them, and changes
/// nothing: somebody may have them open.
///
/// One survey reads each store once.
package final class StoreSurvey: StoreSurveying {
    private var known: [FileIdentity: InventoryStore] = [:]

    package init() {
    }

    /// A slice has a 64th of its class, and at least this: what a store gives back it gives back by
    /// whole segments.
    private static let leastSlice: Int64 = 1 << 20
    private static let sliceCount: Int64 = 64

    /// The inventory with the cache stores that are in it.
    ///
    /// What cannot be read as a store is left as the files that it is.
    ///
    /// - Complexity: O(directories), and O(values) with their sorting for each store.
    package func complete(_ inventory: Inventory) -> Inventory {
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
        guard !status.isSharedByAll, directory.contains(StoreNames.identity) else { return nil }
        // Nothing that another user has written is believed, or even read.
        guard try isOwn(status, directory) else {
            return InventoryStore(directory: number, allocated: 0, slices: [], isForeign: true)
        }
        guard let identity = try StoreIdentity.read(in: directory) else { return nil }
        let index = try StoreIndexFile.readIndex(in: directory)
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
        for name in [StoreNames.identity, StoreNames.log] where directory.contains(name) {
            guard try directory.status(of: name).owner == User.effective else { return false }
        }
        return true
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

extension FileStatus {
    /// Whether any user may make entries in this directory, or it is made for several (sticky).
    fileprivate var isSharedByAll: Bool { permissions & 0o1002 != 0 }
}
