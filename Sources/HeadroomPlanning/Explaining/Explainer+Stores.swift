//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

extension Explainer {
    /// The cache store that a path is, or is a file of; nil: neither.
    func store(at path: FilePath) -> InventoryStore? {
        if let item = inventory.item(at: path) {
            return inventory.isOfStore(item.number)
                ? inventory.stores[inventory.item(item.number).parent] : nil
        }
        return inventory.directory(at: path).flatMap { inventory.stores[$0.number] }
    }

    /// A cache store as a whole: its place is that of its first values to go.
    func explain(_ store: InventoryStore, _ path: FilePath) -> Explanation? {
        let root = inventory.path(ofDirectory: store.directory)
        guard let directory = inventory.directory(at: root) else { return nil }
        // In a directory that goes whole it goes with that.
        guard !list.isInUnit[Int(store.directory)] else { return nil }
        let candidates = list.candidates.filter {
            $0.kind == .cacheValues && $0.number == store.directory
        }
        let first = candidates.min { selection.isBefore($0, $1) }
        let item = inventory.item(at: path)
        var frees = ByteCount.zero
        for candidate in candidates { frees += ByteCount(candidate.bytes) }
        return Explanation(
            path: path, subject: item == nil ? .cacheStore : .memberOfStore,
            area: directory.area,
            purgeClass: first?.purgeableClass.purgeClass ?? directory.purgeClass,
            classOrigin: first == nil || directory.purgeClass == .lastResort
                ? origin(directory.area, directory.mark) : .values,
            goesWith: item == nil ? nil : root,
            allocated: item.map { ByteCount(inventory.item($0.number).allocated) }
                ?? ByteCount(directory.totals.allocated),
            logical: item.map { $0.logical } ?? ByteCount(directory.totals.logical),
            frees: item.map { ByteCount(inventory.item($0.number).allocated) } ?? frees,
            lastUse: store.slices.map(\.latestUse).max().map { Timestamp(seconds: Int64($0)) },
            lastUseOrigin: nil, mark: directory.mark, inUse: nil,
            place: first.flatMap(place),
            outlook: outlook(first) { why(store, directory) })
    }

    private func why(_ store: InventoryStore, _ directory: InventoryDirectory) -> Reason {
        if store.isForeign {
            return Reason(.foreignOwner, "it is another user's, who alone writes to the store")
        }
        if directory.isPinned { return Reason(.pinned, "it or a directory around it is pinned") }
        if inventory.hasPinnedFile(ofStore: store.directory) {
            return Reason(.pinned, "a file of the store is pinned")
        }
        if directory.purgeClass == .essential {
            return Reason(.essential, "it is essential and has no mark of its own")
        }
        return Reason(.cacheStore, "there are no values in it")
    }
}
